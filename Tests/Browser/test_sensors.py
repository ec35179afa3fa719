"""The recorder of sensors: a drawn room with real motion, played to the page as camera and motion sensors, recorded there and run again
natively: the same poses, but for the last bits of sines and their like, which browser and system round otherwise."""
import re
import subprocess

from support.phone import wait_until
from support.sightline import PROGRAM
from test_place_here import Play, sequence  # noqa: F401 - a fixture

STEP = """async (step) => {
  const before = window.sightline.state().sensors;
  const noticed = await window.sequencePlayer.step(step);
  const { tracked, seen, paused } = window.sightline.state().sensors;
  return { noticed, isSeen: seen > before.seen, isPaused: paused > before.paused, tracked };
}"""
SECONDS = 6


def test_a_recording_gives_the_same_poses_natively(new_phone, sequence, output, tmp_path):  # noqa: F811
    play = Play(new_phone, sequence, part="sensors", step=STEP, address="record-sensors", page="#sensors-page", screen=(320, 568))
    page = play.phone.page
    page.screenshot(path=output / "sensors-gate.png")
    play.phone.tap("#sensors-start")
    play.begin()
    # Not from the first picture on: tracking begins anew with the recording.
    play.go(lambda row: len(play.rows) >= 10)
    play.phone.tap("#sensors-record")
    play.phone.wait("window.sightline.state().sensors.isRecording")
    first = len(play.rows)
    end = play.steps[first]["stamp"] + 1000 * SECONDS
    play.go(lambda row: play.steps[len(play.rows) - 1]["stamp"] >= end)
    # The page's clock is the sequence's: timers run on.
    wait_until(lambda: "Hz" in page.locator(".sensors-figures td").nth(1).inner_text(), "figures")
    page.screenshot(path=output / "sensors-recording.png")
    taped = play.phone.state()["sensors"]
    play.phone.tap("#sensors-record")
    page.wait_for_selector("#record-download")
    page.screenshot(path=output / "sensors-file.png")
    with page.expect_download() as download:
        play.phone.tap("#record-download")
    file = tmp_path / download.value.suggested_filename
    assert file.suffix == ".slrec"
    download.value.save_as(file)

    clocks = {figures["name"]: figures["clock"] for figures in taped["figures"]}
    assert 15 < clocks["picture"]["rate"] < 61 and 50 < clocks["motion"]["rate"] < 70, clocks
    assert taped["taped"] > 100_000 and taped["tracked"]["state"] != "none"
    told = subprocess.run([PROGRAM, "recording", "info", file], check=True, capture_output=True, text=True, timeout=120).stdout
    print(told)
    poses = tmp_path / "poses.csv"
    ran = subprocess.run([PROGRAM, "odometry", "track", "--recording", file, "--output", poses], capture_output=True, text=True, timeout=600)
    print(ran.stdout, ran.stderr)
    frames, answers = map(int, re.findall(r"\d+", ran.stdout)[:2])
    assert ran.returncode == 0 and frames == answers, ran.stderr
    away = float(re.search(r"at most ([\d.]+) mm", ran.stdout).group(1))
    assert away < 0.05, ran.stdout
    rows = poses.read_text().splitlines()[1:]
    seen = [row for row in play.rows[first:] if row["isSeen"]]
    assert len(rows) == len(seen) == frames > 60, (len(rows), len(seen), frames)
    last = [float(value) for value in rows[-1].split(",")[1:4]]
    assert all(abs(a - b) < 1e-4 for a, b in zip(last, seen[-1]["tracked"]["position"])), (last, seen[-1]["tracked"]["position"])
