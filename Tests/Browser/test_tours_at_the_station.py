"""A team at its stations: what leads to the question, who may answer, and what the desk says of what is not finished."""
import pytest
from test_tours import click_map
from support.tours import Refused, Teacher, add_author, moved, questions

START = (52.0116, 4.3571)


@pytest.fixture(scope="module")
def account(server):
    add_author(server.database, "stations")
    return Teacher(server.url, "stations")


@pytest.fixture
def teacher(account):
    yield account
    # The server closes lines that are quiet for a while.
    account.close()


def play(new_phone, server, code, hash="", start=True, **options):
    phone = new_phone(position=(*moved(START, -200, 0), 2.0), **options)
    phone.page.goto(f"{server.url}/#/join/{code}")
    phone.wait("location.hash.startsWith('#/play/')")
    phone.wait("document.querySelector('#tour-bar') !== null")
    if start:
        phone.point(0)
        phone.start()
    return phone


def desk_of(new_phone, teacher):
    """A computer with the teacher's session, as the page for signing in leaves it."""
    desk = new_phone(screen=(1280, 800), mobile=False, scale=1, sensors=False, position=(*START, 2.0))
    name, _, value = teacher.headers["Cookie"].partition("=")
    desk.context.add_cookies([{"name": name, "value": value, "url": desk.server.url}])
    return desk


def standing_at(number):
    return (*moved(START, 0, 60 * number), 2.0)


def test_you_are_there_leads_to_the_question_whatever_card_is_open(new_phone, server, teacher, output):
    _, _, teams = teacher.make_run(questions(3), 1)
    phone = play(new_phone, server, teams[0]["code"])
    page = phone.page
    go = page.locator("#tour-go")
    phone.move(standing_at(0))
    page.locator("#card h2", has_text="1. Station 1").wait_for()
    page.locator("#card .card-close").tap()
    assert go.inner_text() == "You are there: Station 1"
    go.tap()
    page.locator("#tour-option-1").wait_for()
    # The card stays open while the team walks on: the next question opens by itself.
    phone.move(standing_at(1))
    page.locator("#card h2", has_text="2. Station 2").wait_for()
    page.locator("#tour-option-1").wait_for()
    page.screenshot(path=output / "tours-station.png")
    # In list and map nothing lies under the bar.
    for view, first in (("list", "#list-search"), ("map", "#map > .map-controls")):
        page.locator("#card .card-close").tap() if page.locator("#card .card-close").is_visible() else None
        page.locator(f"#view-{view}").tap()
        page.locator(first).wait_for()
        bar, below = page.locator("#tour-bar").bounding_box(), page.locator(first).bounding_box()
        assert below["y"] >= bar["y"] + bar["height"], view
    pins = page.locator("#map .leaflet-marker-icon:not(.map-user)")
    assert {"1", "2", "3"} <= set("".join(pins.all_inner_texts()).replace("\n", " ").split() + [
        text.strip()[:1] for text in pins.all_inner_texts()])


def test_the_way_that_is_left_is_told_with_each_step(new_phone, server, teacher):
    _, _, teams = teacher.make_run(questions(1), 1)
    phone = play(new_phone, server, teams[0]["code"])
    phone.move((*moved(START, -130, 0), 2.0))
    phone.page.locator("#tour-go").tap()
    line = phone.page.locator("#tour-closer")
    line.wait_for()
    phone.wait("document.querySelector('#tour-closer').textContent.includes('100')")
    phone.move((*moved(START, -80, 0), 2.0))
    phone.wait("document.querySelector('#tour-closer').textContent.includes('50')")


def test_an_answer_that_is_not_chosen_looks_so(new_phone, server, teacher):
    _, _, teams = teacher.make_run(questions(1), 1)
    phone = play(new_phone, server, teams[0]["code"])
    phone.move(standing_at(0))
    page = phone.page
    page.locator("#tour-option-1").wait_for()
    send = page.locator("#tour-send")
    assert send.is_disabled() and float(send.evaluate("e => getComputedStyle(e).opacity")) < 0.7
    assert page.locator("#tour-missing").inner_text() == "Choose an answer first."
    page.locator("#tour-option-1").check()
    assert send.is_enabled() and not page.locator("#tour-missing").is_visible()


@pytest.mark.parametrize("allowed", [False, True])
def test_a_virtual_phone_counts_only_where_the_tour_allows_it_and_is_marked(new_phone, server, teacher, allowed):
    tour = {**questions(1), "allowsVirtualPhones": allowed}
    stored, run, teams = teacher.make_run(tour, 1)
    phone = play(new_phone, server, teams[0]["code"], start=False, permissions=(), sensors=False)
    page = phone.page
    assert page.locator("#start-virtual").is_visible() == allowed
    # By hand into the address, too.
    hash = page.evaluate("location.hash")
    page.goto("about:blank")
    page.goto(f"{server.url}/{hash}?virtual=1&lat={START[0]}&lon={START[1]}")
    phone.wait("document.querySelector('#tour-bar') !== null")
    if allowed:
        page.locator("#tour-option-1").check()
        page.locator("#tour-send").tap()
        page.locator("#card .tour-verdict.right").wait_for()
        board = teacher.json("GET", f"/api/v1/tour-runs/{run}")
        assert [answer["place"] for answer in board["answers"]] == ["virtual"]
        assert board["teams"][0]["position"]["isVirtual"] is True
        return
    page.locator("#tour-bar .tour-note", has_text="a virtual phone does not count").wait_for()
    assert page.locator("#tour-option-1").count() == 0
    # A phone that says what it is, and sends all the same.
    secret = teacher.json("POST", "/api/v1/tour-team/join", {"code": teams[0]["code"]})["secret"]
    answer = teacher.json("POST", "/api/v1/tour-team/events", {"events": [{
        "id": "0123456789", "sequence": 1, "station": "s0", "kind": "choice", "choices": [1],
        "position": {"latitude": START[0], "longitude": START[1], "accuracy": 5, "isVirtual": True}}]},
        {"Authorization": f"Bearer {secret}"})
    assert answer["events"][0]["refusal"] == "virtualPhone"


def test_joining_can_scan(new_phone):
    phone = new_phone()
    phone.open("/join")
    phone.page.locator("#tour-scan").tap()
    phone.wait("location.hash === '#/scan'")


def test_a_station_just_set_is_not_scolded(new_phone, server, teacher, output):
    desk = desk_of(new_phone, teacher)
    desk.expect("422")
    page = desk.page
    stored = teacher.json("POST", "/api/v1/tours", {**questions(1), "title": "Half done"})
    desk.open(f"/tours/{stored['id']}")
    page.locator(".tour-pin[data-station]").first.wait_for()
    assert not page.locator(".tour-map-hint").is_visible(), "an empty bar on the map"
    page.locator("#tours-add").click()
    click_map(desk, moved(START, 40, 40))
    page.locator(".tour-status", has_text="Kept on this computer").wait_for()
    page.screenshot(path=output / "tours-young.png")
    assert not page.locator(".tour-problems li").first.is_visible()
    # Turning to something else, what is missing is said, with the number that the map shows.
    page.locator(".tour-stations .tour-pick").first.click()
    page.locator(".tour-problems li").first.wait_for()
    texts = page.locator(".tour-problems li").all_inner_texts()
    assert texts and all("Station 2" in text and "Station 1" not in text for text in texts), texts


def test_after_the_end_another_class_can_begin(new_phone, server, teacher):
    desk = desk_of(new_phone, teacher)
    stored, run, _ = teacher.make_run(questions(1), 2)
    desk.open(f"/tours/{stored}/run/{run}")
    page = desk.page
    page.locator("#run-end").click()
    page.locator("#confirm-no").click()
    assert desk.state()["phase"] == "running"
    page.locator("#run-end").click()
    page.locator("#confirm-yes").click()
    desk.wait("window.sightline.state().phase === 'ended'")
    page.locator("#run-again").click()
    assert page.locator(".tour-team-list input[type=text]").count() == 2
    page.locator("#teams-make").click()
    desk.wait(f"window.sightline.state().run && window.sightline.state().run !== {run!r}")
    assert desk.state()["phase"] == "prepared" and len(desk.state()["teams"]) == 2


def test_a_tour_ends_with_a_result_a_ranking_and_thanks(new_phone, server, teacher, output):
    _, run, teams = teacher.make_run(questions(2), 2)
    phone = play(new_phone, server, teams[1]["code"])
    phone.move(standing_at(0))
    phone.page.locator("#tour-option-1").wait_for()
    phone.tap("#tour-option-1")
    phone.tap("#tour-send")
    phone.page.wait_for_selector('#tour-bar:has-text("1/2")')
    teacher.json("POST", f"/api/v1/tour-runs/{run}/command", {"command": "end"})
    end = phone.page.locator("#tour-end")
    end.wait_for()
    own = phone.page.locator("#tour-bar .tour-team").inner_text()
    assert own in end.inner_text() and "1 of 2 stations" in end.inner_text() and "Thank you" in end.inner_text()
    phone.page.locator("#tour-end .tour-end-place", has_text="of 2").wait_for()
    rows = end.locator(".tour-ranking li")
    assert rows.count() == 2 and end.locator(".tour-ranking .own").inner_text().split("\n")[1] == own
    scores = [int(text.split()[0].replace("−", "-")) for text in end.locator(".tour-rank-score").all_inner_texts()]
    assert scores == sorted(scores, reverse=True)
    phone.page.screenshot(path=output / "tours-end.png")
    phone.tap("#tour-end-look")
    # Once is enough; it can be looked at again, and nobody is asked for help any more.
    phone.page.wait_for_timeout(1500)
    assert end.count() == 0
    phone.tap("#tour-open")
    assert phone.page.locator("#tour-help").count() == 0
    phone.tap("#tour-result")
    end.wait_for()
    with pytest.raises(Refused) as refused:
        teacher.json("POST", f"/api/v1/tour-runs/{run}/messages", {"text": "Come back"})
    assert (refused.value.status, refused.value.code) == (409, "tour.ended")


def test_the_board_fills_the_screen_and_is_shown_to_everybody(new_phone, server, teacher, output):
    tour, run, teams = teacher.make_run(questions(2), 3)
    desk = desk_of(new_phone, teacher)
    page = desk.page
    page.goto(f"{server.url}/#/tours/{tour}/run/{run}")
    page.wait_for_selector(".tour-grid")
    board = page.evaluate("""() => ({ page: document.documentElement.scrollHeight, box: document.querySelector('.tour-map').getBoundingClientRect().toJSON(),
      grid: document.querySelector('.tour-board-grid').getBoundingClientRect().toJSON() })""")
    assert board["page"] <= 801, "all of it is on the screen"
    assert board["box"]["width"] > 700 and board["box"]["height"] > 300, board
    assert board["grid"]["bottom"] <= 801
    page.screenshot(path=output / "tours-board-wide.png")
    page.click("#run-project")
    shown = page.locator("#projection")
    assert shown.locator(".tour-ranking li").count() == 3
    assert shown.locator(".tour-ranking .tour-rank").all_inner_texts() == ["1", "1", "1"], "nobody has points: all are first"
    # A team that answers goes up before everybody's eyes.
    last = teams[2]
    phone = play(new_phone, server, last["code"])
    phone.move(standing_at(0))
    phone.page.locator("#tour-option-1").wait_for()
    phone.tap("#tour-option-1")
    phone.tap("#tour-send")
    page.locator("#projection .tour-ranking li").first.locator(f"text={last['name']}").wait_for()
    assert shown.locator(".tour-rank").all_inner_texts() == ["1", "2", "2"]
    page.screenshot(path=output / "tours-projection.png")
    page.wait_for_function("document.fullscreenElement")
    page.evaluate("document.exitFullscreen()")
    page.wait_for_selector("#projection", state="detached")
    # Gone with the board.
    page.click("#run-project")
    page.wait_for_selector("#projection")
    page.evaluate("location.hash = '#/'")
    page.wait_for_selector("#projection", state="detached")
    page.goto(f"{server.url}/#/tours/{tour}/run/{run}")
    page.wait_for_selector(".tour-grid")
    teacher.json("POST", f"/api/v1/tour-runs/{run}/command", {"command": "end"})
    page.wait_for_selector("#run-again")
    assert page.locator("#message-send").is_hidden(), "nobody reads it any more"


# What the phone was told to do: patterns of vibration, and tones.
FELT = """
window.felt = []; window.tones = [];
navigator.vibrate = (pattern) => { window.felt.push([].concat(pattern)); return true; };
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (when) { window.tones.push(this.frequency.value); return start.call(this, when); };
"""


@pytest.mark.parametrize("calm", [False, True], ids=["as usual", "without movement and sound"])
def test_arriving_and_a_right_answer_are_felt_heard_and_seen(new_phone, server, teacher, calm):
    _, _, teams = teacher.make_run(questions(2), 1)
    scripts = (FELT, "localStorage.setItem('sightline.sounds', 'false')") if calm else (FELT,)
    phone = play(new_phone, server, teams[0]["code"], scripts=scripts, reduced_motion="reduce" if calm else None)
    page = phone.page
    phone.move(standing_at(0))
    page.locator("#tour-option-1").wait_for()
    phone.wait("window.felt.length === 1")
    if not calm:
        phone.wait("window.tones.length === 2")
    page.locator("#tour-option-1").tap()
    page.locator("#tour-send").tap()
    verdict = page.locator(".tour-verdict.right")
    verdict.wait_for()
    # Felt by all, with or without sound.
    phone.wait("window.felt.length === 2 && window.felt[1].length > window.felt[0].length")
    if calm:
        page.wait_for_timeout(500)
        assert page.evaluate("window.tones") == []
    else:
        phone.wait("window.tones.length === 5")
        assert page.evaluate("window.tones.slice(2)") == sorted(page.evaluate("window.tones.slice(2)")), "it rises"
    assert verdict.evaluate("(e) => getComputedStyle(e).animationName") == ("none" if calm else "tour-right")
