"""Files of every format: what is in them, and a refusal that names file and place for what is not."""

from __future__ import annotations

import struct
from pathlib import Path

import laspy
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.io import loadmat, savemat

from climbing_rig.errors import CloudError, ConfigError
from climbing_rig.wall import Wall
from climbing_rig.wall.readers import READERS, read_cloud

DATA = Path(__file__).parents[1] / "data" / "clouds"
POINTS = np.array([[0.5, 1.25, -2.0], [3.0, -4.5, 5.75], [0.0, 0.0, 1.0], [8.0, 8.0, 8.5]])


@pytest.mark.parametrize(
    ("name", "count", "extent"),
    [
        ("autzen_structured.npy", 1065, (336270.0, 463573.0, 17979.0)),
        ("car6_bincomp.pcd", 10031, (6.22, 6.68, 1.56)),
        ("climb_graspable_testfield.mat", 116, (1.22, 0.73, 0.081)),
        ("lamppost_ascii.pcd", 1771, (1.41, 0.97, 5.91)),
        ("odd_extrabytes.las", 1065, (3362.7, 4635.73, 179.79)),
        ("odd_extradim.ply", 1, (0.0, 0.0, 0.0)),
        ("odd_f64_uppercase.pcd", 1065, (998.81, 1387.4, 54.8)),
        ("odd_pcd_version_05.pcd", 361, (0.14, 0.15, 0.14)),
        ("odd_utm17_tab.pcd", 10, (4.35, 1.98, 0.18)),
        ("simple_autzen.laz", 1065, (3362.7, 4635.73, 179.79)),
        ("tiny_binary.ply", 3, (2.0, 1.0, 0.0)),
    ],
)
def test_a_real_file_has_the_points_it_is_known_for(name: str, count: int, extent: tuple[float, ...]) -> None:
    cloud = read_cloud(DATA / name)
    assert len(cloud) == count
    np.testing.assert_allclose(np.ptp(cloud.points, axis=0), extent, atol=0.01)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bad_garbage_vlr.las", "header claims"),
        ("bad_missing_header.pcd", "line 1"),
        ("bad_no_z.ply", "no field z"),
        ("bad_zero_bytes.ply", "0 bytes"),
        ("odd_no_points.las", "0 points"),
    ],
)
def test_a_file_without_a_usable_point_is_refused_by_name(name: str, words: str) -> None:
    with pytest.raises(CloudError, match=f"{name}.*{words}"):
        read_cloud(DATA / name)


def test_a_mesh_is_sampled_evenly_with_outward_normals() -> None:
    cloud = read_cloud(DATA / "mesh_with_hole.stl")
    assert cloud.normals is not None
    assert 150_000 < len(cloud) < 300_000
    centre = 0.5 * (cloud.points.min(axis=0) + cloud.points.max(axis=0))
    assert (np.einsum("ij,ij->i", cloud.normals, cloud.points - centre) > 0.0).mean() > 0.99


def test_the_notches_of_a_concave_face_stay_open() -> None:
    path = DATA / "odd_concave_polygon.obj"
    wall = Wall.from_file(str(path))
    low, size = wall.bounds[0], wall.bounds[1] - wall.bounds[0]
    across = low + size * np.random.default_rng(0).uniform(0.0, 1.0, (4000, 3))
    depth = np.array([1.0, 0.0, 0.0])
    hits = wall.trace_many(across - depth, across + depth)
    words = [line.split() for line in path.read_text().splitlines()]
    vertices = np.array([line[2:4] for line in words if line[:1] == ["v"]], dtype=float)
    face = next(line[1:] for line in words if line[:1] == ["f"])
    y, z = vertices[[int(word.split("/")[0]) - 1 for word in face]].T
    area = 0.5 * abs(np.sum(y * np.roll(z, -1) - z * np.roll(y, -1)))
    assert area < 0.5 * size[1] * size[2]
    assert hits.found.mean() == pytest.approx(area / (size[1] * size[2]), abs=0.03)


def pcd(encoding: str, body: bytes, *, kinds: str = "FFF", sizes: str = "444", count: int = 4) -> bytes:
    names = " ".join("xyzabcdef"[: len(kinds)])
    header = f"VERSION 0.7\nFIELDS {names}\nSIZE {' '.join(sizes)}\nTYPE {' '.join(kinds)}\n"
    return (
        f"{header}WIDTH {count}\nHEIGHT 1\nVIEWPOINT 1 2 3 1 0 0 0\nPOINTS {count}\nDATA {encoding}\n".encode() + body
    )


def literal_lzf(data: bytes) -> bytes:
    return b"".join(bytes([len(data[i : i + 32]) - 1]) + data[i : i + 32] for i in range(0, len(data), 32))


def ply(encoding: str, body: bytes, kind: str = "double") -> bytes:
    header = f"ply\nformat {encoding} 1.0\nelement vertex 4\n"
    return (header + "".join(f"property {kind} {a}\n" for a in "xyz") + "end_header\n").encode() + body


def ascii_rows() -> bytes:
    return "".join(f"{x} {y} {z}\n" for x, y, z in POINTS).encode()


def files() -> dict[str, bytes]:
    columns = POINTS.astype("<f4").T.tobytes()
    packed = literal_lzf(columns)
    return {
        "ascii.pcd": pcd("ascii", ascii_rows()),
        "binary.pcd": pcd("binary", POINTS.astype("<f4").tobytes()),
        "double.pcd": pcd("binary", POINTS.astype("<f8").tobytes(), sizes="888"),
        "compressed.pcd": pcd("binary_compressed", struct.pack("<II", len(packed), len(columns)) + packed),
        "ascii.ply": ply("ascii", ascii_rows()),
        "little.ply": ply("binary_little_endian", POINTS.astype("<f8").tobytes()),
        "big.ply": ply("binary_big_endian", POINTS.astype(">f4").tobytes(), "float"),
    }


@pytest.mark.parametrize("name", files())
def test_what_was_written_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(files()[name])
    cloud = read_cloud(tmp_path / name)
    np.testing.assert_array_equal(cloud.points, POINTS)
    if name.endswith(".pcd"):
        np.testing.assert_array_equal(cloud.viewpoint, (1.0, 2.0, 3.0))


def test_plain_and_six_column_arrays_are_read(tmp_path: Path) -> None:
    np.save(tmp_path / "three.npy", POINTS)
    np.save(tmp_path / "six.npy", np.hstack([POINTS, np.tile([0, 0, 2], (4, 1))]))
    np.testing.assert_array_equal(read_cloud(tmp_path / "three.npy").points, POINTS)
    normals = read_cloud(tmp_path / "six.npy").normals
    assert normals is not None
    np.testing.assert_array_equal(normals, np.tile([0.0, 0.0, 1.0], (4, 1)))


def test_a_height_grid_is_read_with_the_normals_of_its_slope(tmp_path: Path) -> None:
    x, y = np.linspace(0.0, 1.0, 6), np.linspace(0.0, 2.0, 5)
    savemat(tmp_path / "grid.mat", {"x": x, "y": y, "z": 0.5 * x[None, :] + np.zeros((5, 1))})
    cloud = read_cloud(tmp_path / "grid.mat")
    assert len(cloud) == 30 and cloud.normals is not None
    np.testing.assert_allclose(cloud.normals, np.tile(np.array([-0.5, 0.0, 1.0]) / np.sqrt(1.25), (30, 1)), atol=1e-12)
    savemat(tmp_path / "two.mat", {"a": POINTS, "b": POINTS.T})
    with pytest.raises(CloudError, match=r"two.mat.*expected a grid"):
        read_cloud(tmp_path / "two.mat")


def test_the_demo_grid_has_every_height_of_its_file() -> None:
    path = Path(__file__).parents[2] / "walls" / "climb_holds_1m_grid.mat"
    cloud, raw = read_cloud(path), loadmat(path)
    assert len(cloud) == raw["z"].size
    np.testing.assert_array_equal(np.sort(cloud.points[:, 2]), np.sort(raw["z"].ravel()))


def test_a_quad_mesh_in_a_ply_is_sampled(tmp_path: Path) -> None:
    text = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    text += "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
    text += "0 0 0\n0 1 0\n0 1 1\n0 0 1\n4 0 1 2 3\n"
    (tmp_path / "quad.ply").write_text(text)
    wall = Wall.from_file(str(tmp_path / "quad.ply"))
    hit = wall.trace((1.0, 0.31, 0.52), (-1.0, 0.31, 0.52))
    assert hit is not None and not hit.backface
    np.testing.assert_allclose(hit.point, (0.0, 0.31, 0.52), atol=1e-9)


def test_laz_and_its_las_hold_the_same_points(tmp_path: Path) -> None:
    las = laspy.read(DATA / "simple_autzen.laz")
    las.write(str(tmp_path / "plain.las"))
    np.testing.assert_array_equal(
        read_cloud(tmp_path / "plain.las").points, read_cloud(DATA / "simple_autzen.laz").points
    )


@pytest.mark.parametrize(
    "name", [*files(), "simple_autzen.laz", "odd_extrabytes.las", "mesh_with_hole.stl", "car6_bincomp.pcd"]
)
@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_a_truncated_file_is_refused_by_name(tmp_path: Path, name: str, share: float) -> None:
    content = files()[name] if name in files() else (DATA / name).read_bytes()
    # Cut inside the last value at the latest: an ascii number that lost its last digit is still a number.
    (tmp_path / name).write_bytes(content[: min(int(share * len(content)), len(content) - 6)])
    with pytest.raises(CloudError, match=name):
        read_cloud(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("count.pcd", pcd("binary", b"", count=10**12), "truncated"),
        (
            "unpack.pcd",
            pcd("binary_compressed", struct.pack("<II", 4, 12 * 10**8) + b"\0aaa", count=10**8),
            "cannot unpack",
        ),
        ("damage.pcd", pcd("binary_compressed", struct.pack("<II", 3, 48) + b"\xe0\xff\xff"), "damaged"),
        ("kind.pcd", pcd("ascii", ascii_rows(), kinds="FFQ"), "TYPE Q"),
        ("word.pcd", pcd("ascii", ascii_rows().replace(b"8.5", b"oak")), "line 13.*oak"),
        ("comma.pcd", pcd("ascii", ascii_rows().replace(b" ", b",")), "line 10: 1 values"),
        ("zero.pcd", pcd("ascii", b"", count=0), "0"),
        ("head.ply", b"ply\nformat ascii 1.0\nelement vertex many\nend_header\n", "line 3"),
        ("open.ply", b"ply\nformat ascii 1.0\n", "end_header"),
        ("huge.ply", ply("ascii", ascii_rows()).replace(b"vertex 4", b"vertex 99999999999"), "ends inside"),
        ("text.npy", b"no array", "npy"),
        ("text.mat", b"no matlab file" * 20, "MATLAB"),
        ("text.las", b"LASX" * 200, "no LAS header"),
        ("text.stl", b"nothing" * 30, "no STL"),
        ("flat.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "no triangle has an area"),
        ("far.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 1\nf 1 2 9\n", "does not exist"),
        ("word.obj", b"v 0 zero 0\n", "line 1"),
    ],
)
def test_a_lying_file_is_refused_naming_the_place(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CloudError, match=f"(?s){name}.*{words}"):
        read_cloud(tmp_path / name)


@pytest.mark.parametrize("name", [*files(), "tiny_binary.ply", "simple_autzen.laz", "climb_graspable_testfield.mat"])
@given(data=st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_is_read_or_refused_but_never_crashes(tmp_path: Path, name: str, data: st.DataObject) -> None:
    content = bytearray(files()[name] if name in files() else (DATA / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, min(len(content), 600) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / name
    path.write_bytes(bytes(content))
    try:
        assert len(read_cloud(path)) > 0
    except CloudError as error:
        assert name in str(error)


def test_an_unknown_kind_of_file_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "wall.docx").write_bytes(b"x")
    with pytest.raises(CloudError) as caught:
        read_cloud(tmp_path / "wall.docx")
    assert caught.value.choices == tuple(READERS)
    with pytest.raises(ConfigError, match="no such file"):
        Wall.from_file("not_there.ply")
