"""Phones with several rear cameras: the main one is used, whatever the browser gives for "the rear one"."""
import json

# Three cameras; `window.askedFor` are those that the page has asked for, "" for the browser's own choice, which is the wide one.
CAMERAS = """(() => {
  const labels = { main: 'camera2 0, facing back', front: 'camera2 1, facing front', wide: 'camera2 2, facing back' };
  window.askedFor = [];
  navigator.mediaDevices.enumerateDevices = async () =>
    ['front', 'wide', 'main'].map((deviceId) => ({ kind: 'videoinput', deviceId, label: labels[deviceId] }));
  navigator.mediaDevices.getUserMedia = async ({ video }) => {
    const id = video.deviceId?.exact ?? '';
    window.askedFor.push(id);
    if (id === BUSY) throw new DOMException('in use', 'NotReadableError');
    if (!(id in { '': 1, ...labels })) throw new DOMException('gone', 'OverconstrainedError');
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
    const context = canvas.getContext('2d');
    const [track] = canvas.captureStream(10).getVideoTracks();
    Object.defineProperty(track, 'label', { value: labels[id || 'wide'] });
    let level = 0;
    const painting = setInterval(() => {
      if (track.readyState === 'ended') clearInterval(painting);
      context.fillStyle = `hsl(${level++ % 360} 50% 50%)`;
      context.fillRect(0, 0, 640, 480);
    }, 100);
    return new MediaStream([track]);
  };
})();"""


def open_markers(new_phone, busy=None, kept=None):
    keep = f"localStorage.setItem('sightline.rearCamera', JSON.stringify({json.dumps(kept)}));" if kept else ""
    phone = new_phone(picture=None, scripts=(keep + CAMERAS.replace("BUSY", json.dumps(busy)),))
    phone.open("/markers")
    return phone


def wait_running(phone, asked):
    phone.wait("""(asked) => window.askedFor.join() === asked.join() && window.sightline.state().markers?.camera === 'running'""", arg=asked)


def test_the_main_rear_camera_is_used_and_kept(new_phone):
    phone = open_markers(new_phone)
    wait_running(phone, ["", "main"])
    phone.page.reload()
    wait_running(phone, ["main"])


def test_a_main_camera_that_is_in_use_is_no_reason_for_none(new_phone):
    phone = open_markers(new_phone, busy="main")
    wait_running(phone, ["", "main", ""])
    # It is not tried for ever.
    phone.page.wait_for_timeout(500)
    wait_running(phone, ["", "main", ""])


def test_a_kept_camera_that_is_gone_is_looked_for_anew(new_phone):
    wait_running(open_markers(new_phone, kept="of another day"), ["of another day", "", "main"])
