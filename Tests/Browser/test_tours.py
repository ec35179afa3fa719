"""A tour from beginning to end: a teacher makes it in the browser and prints its codes, three phones join by the codes on
the paper, walk, answer, one of them without a network for a while; the board follows, and the table is right to the row."""
import csv
import io
import json
import math
import subprocess
import time

import pytest

from support.sightline import PROGRAM
from support.tours import PASSWORD, Teacher, moved, questions

START = (52.0116, 4.3571)
# Five stations, each with what the teacher types; places in metres north and east of the first.
STATIONS = [
    {"title": "Bridge", "kind": "choice", "text": "How many arches?", "options": ["Two", "Three", "Four"], "right": 1, "at": (0, 0)},
    {"title": "Gate", "kind": "choice", "text": "Which two colours?", "options": ["Red", "Green", "White"], "right": (0, 2), "at": (0, 120)},
    {"title": "Mill", "kind": "open", "text": "What is it called?", "accepted": "De Roos", "at": (120, 120)},
    {"title": "Well", "kind": "info", "text": "Dug in 1602.", "at": (120, 0)},
    {"title": "Church", "kind": "open", "text": "Why does the tower lean?", "at": (120, 240)},
]


def place(number):
    return (*moved(START, *STATIONS[number]["at"]), 2.0)


def sign_in(phone):
    """The session of a signed-in teacher, as the page for signing in leaves it."""
    teacher = Teacher(phone.server.url)
    name, _, value = teacher.headers["Cookie"].partition("=")
    phone.context.add_cookies([{"name": name, "value": value, "url": phone.server.url}])
    return teacher


def click_map(desk, position):
    """A click on the map at a position on the Earth, found by the Mercator projection of web maps."""
    def pixels(latitude, longitude, zoom):
        scale = 256 * 2 ** zoom
        north = math.log(math.tan(math.pi / 4 + math.radians(latitude) / 2))
        return scale * (longitude + 180) / 360, scale * (1 - north / math.pi) / 2

    box = desk.page.locator(".tour-map").bounding_box()
    view = desk.state()["map"]
    center = pixels(view["latitude"], view["longitude"], view["zoom"])
    wanted = pixels(position[0], position[1], view["zoom"])
    x = box["x"] + box["width"] / 2 + wanted[0] - center[0]
    y = box["y"] + box["height"] / 2 + wanted[1] - center[1]
    assert box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"], "not on the map"
    desk.page.mouse.click(x, y)


def make_tour(desk):
    """What a teacher does in the designer; returns the tour's identifier."""
    page = desk.page
    desk.open("/tours")
    page.locator("#tours-new").click()
    page.wait_for_selector("#tours-designer")
    page.locator("#tours-name").fill("Round the old town")
    # The map begins where the teacher is.
    desk.wait("window.sightline.state().map?.zoom === 16")
    for number, station in enumerate(STATIONS):
        if number:
            page.locator("#tours-add").click()
        click_map(desk, place(number))
        page.locator("#station-title").fill(station["title"])
        page.locator("#station-kind").select_option(station["kind"])
        page.locator("#station-text").fill(station["text"])
        if station["kind"] == "choice":
            for index, option in enumerate(station["options"]):
                page.locator(f"#station-option-{index}").fill(option)
            right = station["right"] if isinstance(station["right"], tuple) else (station["right"],)
            for index in range(3):
                page.locator(f"#station-right-{index}").set_checked(index in right)
        if "accepted" in station:
            page.locator("#station-accepted").fill(station["accepted"])
        page.locator("#station-radius").fill("30")
    # The area, and a look at all of it.
    page.locator("#tours-border").click()
    for corner in ((-60, -60), (-60, 300), (180, 300), (180, -60)):
        click_map(desk, moved(START, *corner))
    page.locator("#tours-border").click()
    desk.wait("window.sightline.state().saved === true")
    return desk.state()["tour"]


def codes_on_paper(pdf, folder):
    """The addresses in the codes of a printed sheet: the sheet is drawn as by a printer and read as by a camera."""
    (folder / "sheet.pdf").write_bytes(pdf)
    subprocess.run(["pdftoppm", "-r", "150", "-png", folder / "sheet.pdf", folder / "sheet"], check=True, timeout=60)
    text = subprocess.run(["pdftotext", "-layout", folder / "sheet.pdf", "-"], check=True, capture_output=True, text=True).stdout
    pages = sorted(folder.glob("sheet-*.png"))
    read = subprocess.run([PROGRAM, "qr", "read", "--format", "json", *pages], check=True, capture_output=True, text=True).stdout
    codes = []
    for line in read.splitlines():
        found = json.loads(line)["codes"]
        # Row by row, as the cards lie on the page.
        found.sort(key=lambda code: (round(min(y for _, y in code["corners"]) / 300), min(x for x, _ in code["corners"])))
        codes += [code["text"] for code in found]
    return codes, text


def join(new_phone, address, at):
    phone = new_phone(position=(*at, 2.0))
    phone.page.goto(address)
    phone.wait("location.hash.startsWith('#/play/')")
    phone.wait("document.querySelector('#tour-bar') !== null")
    phone.point(0)
    phone.start()
    return phone


def answer(phone, number, choice=None, words=None):
    """Walks to a station, and answers on the card that opens there."""
    phone.move(place(number))
    page = phone.page
    page.locator("#card .card-head h2", has_text=STATIONS[number]["title"]).wait_for()
    if choice is not None:
        for index in choice if isinstance(choice, tuple) else (choice,):
            page.locator(f"#tour-option-{index}").check()
        page.locator("#tour-send").tap()
    elif words is not None:
        page.locator("#tour-words").fill(words)
        page.locator("#tour-send").tap()


def verdict(phone, state):
    """Waits for what the server said; the phone shows at first that the answer is kept."""
    phone.page.locator(f"#card .tour-verdict.{state}").wait_for()
    return phone.page.locator("#card .tour-verdict").inner_text()


def close_card(phone):
    phone.page.locator("#card .card-close").tap()


def test_a_class_walks_a_tour(new_phone, server, teacher_account, output, tmp_path):
    desk = new_phone(screen=(1280, 800), mobile=False, scale=1, sensors=False, position=(*moved(START, 60, 120), 2.0))
    teacher = sign_in(desk)
    began = time.monotonic()
    tour = make_tour(desk)
    desk.page.screenshot(path=output / "tours-designer.png")
    stored = teacher.json("GET", f"/api/v1/tours/{tour}")
    assert [station["title"] for station in stored["tour"]["stations"]] == [station["title"] for station in STATIONS]
    assert stored["tour"]["stations"][1]["correct"] == [0, 2] and len(stored["tour"]["border"]) == 4
    assert not stored["problems"]

    # Teams, and the sheet of codes.
    page = desk.page
    page.locator("#tours-run").click()
    page.locator("#teams-count").fill("3")
    for index, name in enumerate(["Otter", "Heron", "Pike (=fast)"]):
        page.locator(".tour-team-list li").nth(index).locator("input[type=text]").fill(name)
    page.screenshot(path=output / "tours-teams.png")
    page.locator("#teams-make").click()
    page.wait_for_selector("#tours-board")
    run = desk.state()["run"]
    pdf = desk.context.request.get(server.url + page.locator("#run-sheet").get_attribute("href")).body()
    codes, text = codes_on_paper(pdf, tmp_path)
    assert len(codes) == 3 and all(code.startswith(server.url + "/t/") for code in codes)
    assert "Otter" in text and "Pike (=fast)" in text and "Round the old town" in text
    assert time.monotonic() - began < 300, "a teacher starts a tour in five minutes, this program in fewer"
    page.locator("#run-start").click()
    desk.wait("window.sightline.state().phase === 'running' && window.sightline.state().live")

    # Three phones by the codes on the paper.
    far = moved(START, -50, -40)
    otter, heron, pike = (join(new_phone, code, far) for code in codes)
    for phone, name in zip((otter, heron, pike), ("Otter", "Heron", "Pike (=fast)")):
        assert phone.page.locator("#tour-bar .tour-team").inner_text() == name
    otter.page.screenshot(path=output / "tours-phone-start.png")

    # Otter: right at once, and after a hint of its own position: too far away there is no question.
    otter.page.locator('.label[data-id]').first.wait_for()
    answer(otter, 0, choice=1)
    assert "Right" in verdict(otter, "right")
    otter.page.screenshot(path=output / "tours-phone-right.png")
    desk.wait("window.sightline.state().teams[0].score === 10")
    close_card(otter)
    answer(otter, 1, choice=(0, 2))
    assert "Right" in verdict(otter, "right")
    close_card(otter)

    # Heron: wrong, and out of the area.
    answer(heron, 0, choice=0)
    assert "Not right" in verdict(heron, "wrong")
    close_card(heron)
    heron.move((*moved(START, 0, 500), 2.0))
    heron.page.locator("#tour-bar .tour-warning:not([hidden])").wait_for()
    desk.wait("window.sightline.state().teams[1].left === true")
    heron.page.screenshot(path=output / "tours-phone-left.png")

    # Pike loses the network, answers three times, opens the page anew in between, and finds the network again.
    pike.wait("document.querySelector('#tour-bar').dataset.saved === 'saved'", seconds=60)
    pike.expect("Failed to load resource", "net::ERR_INTERNET_DISCONNECTED")
    pike.context.set_offline(True)
    answer(pike, 0, choice=1)
    pike.page.locator("#card .tour-verdict.saved").wait_for()
    close_card(pike)
    answer(pike, 2, words="de roos!")
    pike.page.locator("#card .tour-verdict.saved").wait_for()
    close_card(pike)
    pike.page.reload()
    pike.wait("document.querySelector('#tour-bar') !== null")
    pike.point(0)
    pike.start()
    answer(pike, 4, words="=SUM(A1) because of the clay, they say")
    pike.page.locator("#card .tour-verdict.saved").wait_for()
    assert "3 answers" in pike.page.locator("#tour-bar .tour-note").inner_text()
    pike.page.screenshot(path=output / "tours-phone-offline.png")
    # Nothing of it is lost when the page is closed and opened again.
    assert teacher.json("GET", f"/api/v1/tour-runs/{run}")["teams"][2]["done"] == 0
    pike.context.set_offline(False)
    pike.page.reload()
    desk.wait("window.sightline.state().teams[2].score === 20 && window.sightline.state().pending === 1")
    # With a service of its own for the paper: a visit counts by going there.
    heron.move(place(3))
    desk.wait("window.sightline.state().teams[1].score === 10 && window.sightline.state().teams[1].left === false")

    # A name can be changed while the tour goes on, and a team added.
    page.locator("#run-teams-open").click()
    page.locator("#run-teams li").nth(2).locator("code").wait_for()
    page.screenshot(path=output / "tours-run-teams.png")
    page.locator("#team-add").click()
    page.locator("#run-teams li").nth(3).wait_for()
    page.locator("#run-teams .sheet-close").click()
    desk.wait("window.sightline.state().live && window.sightline.state().teams.length === 4")

    # The board: everything is there; the teacher marks, writes, pauses and ends.
    page.screenshot(path=output / "tours-board.png", full_page=True)
    assert set(desk.state()["log"]) >= {"joined", "started", "left", "returned"}
    page.locator(".tour-marking input[type=number]").fill("7")
    page.locator(".tour-marking .primary").click()
    desk.wait("window.sightline.state().teams[2].score === 27 && window.sightline.state().pending === 0")
    page.locator("#message-to").select_option("1")
    page.locator("#message-text").fill("Come back to the square")
    page.locator("#message-send").click()
    otter.page.locator(".toast", has_text="Come back to the square").wait_for()
    assert heron.page.locator(".toast", has_text="Come back").count() == 0
    page.locator("#run-pause").click()
    otter.page.locator("#tour-bar .tour-note", has_text="Paused").wait_for()
    page.locator("#run-resume").click()
    desk.wait("window.sightline.state().phase === 'running'")
    page.locator("#run-end").click()
    page.locator("#confirm-yes").click()
    desk.wait("window.sightline.state().phase === 'ended'")
    otter.page.locator("#tour-bar .tour-note", has_text="Over").wait_for()

    # The tables, right to the row.
    table = desk.context.request.get(f"{server.url}/api/v1/tour-runs/{run}/tables/results.csv")
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(table.body().decode("utf-8-sig"))))
    ids = [station["id"] for station in stored["tour"]["stations"]]
    assert rows[0] == ["rank", "team", "name", "score", "done", "right", "wrong", "waiting", "hints", "last"] + [
        f"station {id} {station['title']}" for id, station in zip(ids, STATIONS)]
    assert [row[:9] + row[10:] for row in rows[1:]] == [
        ["1", "3", "Pike (=fast)", "27", "3", "3", "0", "0", "0", "10", "", "10", "", "7"],
        ["2", "1", "Otter", "20", "2", "2", "0", "0", "0", "10", "10", "", "", ""],
        ["3", "2", "Heron", "10", "2", "0", "1", "0", "0", "0", "", "", "10", ""],
        ["4", "4", "Team 4", "0", "0", "0", "0", "0", "0", "", "", "", "", ""]]
    answers = desk.context.request.get(f"{server.url}/api/v1/tour-runs/{run}/tables/answers.csv").body().decode("utf-8-sig")
    rows = [(row["name"], row["title"], row["kind"], row["answer"], row["verdict"], row["points"], row["place"])
            for row in csv.DictReader(io.StringIO(answers))]
    assert rows == [
        ("Otter", "Bridge", "choice", "Three", "right", "10", "inside"),
        ("Otter", "Gate", "choice", "Red; White", "right", "10", "inside"),
        ("Heron", "Bridge", "choice", "Two", "wrong", "0", "inside"),
        ("Pike (=fast)", "Bridge", "choice", "Three", "right", "10", "inside"),
        ("Pike (=fast)", "Mill", "text", "de roos!", "right", "10", "inside"),
        ("Pike (=fast)", "Church", "text", "'=SUM(A1) because of the clay, they say", "right", "7", "inside"),
        ("Heron", "Well", "visit", "", "visited", "10", "inside")]
    everything = json.loads(desk.context.request.get(f"{server.url}/api/v1/tour-runs/{run}/tables/all.json").body())
    assert len(everything["answers"]) == 7 and everything["positions"], "answers and a trail"

    # Deleting is at once, for the board and for phones.
    page.locator("#run-data summary").click()
    otter.expect("410", "Failed to load resource")
    heron.expect("410", "Failed to load resource")
    pike.expect("410", "Failed to load resource")
    desk.expect("404", "Failed to load resource")
    page.locator("#run-delete").click()
    page.locator("#confirm-yes").click()
    otter.page.locator("#tour-bar .tour-note", has_text="no longer in the team").wait_for(timeout=20000)
    assert desk.context.request.get(f"{server.url}/api/v1/tour-runs/{run}").status == 404


def test_the_tour_is_tried_from_the_desk(new_phone, server, teacher_account, output):
    desk = new_phone(screen=(1280, 800), mobile=False, scale=1, sensors=False)
    teacher = sign_in(desk)
    stored = teacher.json("POST", "/api/v1/tours", questions(2))
    desk.open(f"/tours/{stored['id']}")
    desk.page.locator("#tours-try").click()
    desk.wait("location.hash.startsWith('#/play/')")
    desk.wait_ready()
    desk.wait("document.querySelector('.label') !== null")
    desk.page.screenshot(path=output / "tours-try.png")
    # Forward, to the north, where the first station is.
    desk.page.locator("#scene").focus()
    desk.page.keyboard.down("KeyW")
    desk.page.locator("#tour-option-1").wait_for(timeout=60000)
    desk.page.keyboard.up("KeyW")
    desk.page.locator("#tour-option-1").check()
    desk.page.locator("#tour-send").click()
    desk.page.locator("#card .tour-verdict.right").wait_for()
    desk.page.locator("#tour-open").click()
    desk.page.screenshot(path=output / "tours-try-dialog.png")


def test_what_is_stored_is_said_in_every_language(new_phone, output):
    for locale in ("en", "sv", "fr", "de", "nl", "es", "zh"):
        phone = new_phone(locale=locale)
        phone.open("/tours/privacy")
        phone.page.locator(".tour-prose h2").nth(8).wait_for()
        text = phone.page.locator(".tour-prose").inner_text()
        assert "tours." not in text and len(text) > 300
        assert "7" in text
        if locale == "en":
            phone.page.screenshot(path=output / "tours-privacy.png")


def test_a_wrong_code_is_said_so(new_phone):
    phone = new_phone()
    phone.expect("404", "Failed to load resource")
    phone.open("/join")
    phone.page.locator("#tour-code").fill("AAAAA-AAAAA-AAA")
    phone.page.locator("#tour-join").tap()
    phone.wait("document.querySelector('.tour-problem').textContent.includes('No team')")
