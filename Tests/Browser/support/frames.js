// Gives the page frames to draw in no oftener than RATE times a second, where a display gives sixty: here software draws them, on the
// processors that the tests wait for. What a page draws, and when it rests, is the same. RATE is put in by the test.
(() => {
  const ask = window.requestAnimationFrame.bind(window);
  // The page's clock may be a test's own.
  const clock = performance.now.bind(performance);
  const { setTimeout, reportError } = window;
  const between = 1000 / RATE;
  // A display's frame comes up to 17 ms after it was asked for.
  const early = 12;
  const waiting = new Map();
  let [number, last, isAsked] = [0, -Infinity, false];
  const give = (stamp) => {
    isAsked = false;
    last = clock();
    // What is asked for meanwhile belongs to the next frame; what is taken back meanwhile does not come any more.
    for (const id of [...waiting.keys()]) {
      const run = waiting.get(id);
      if (!waiting.delete(id)) continue;
      try {
        run(stamp);
      } catch (error) {
        reportError(error);
      }
    }
  };
  window.requestAnimationFrame = (run) => {
    waiting.set(++number, run);
    if (!isAsked) {
      isAsked = true;
      const rest = last + between - early - clock();
      if (rest > 0) setTimeout(() => ask(give), rest);
      else ask(give);
    }
    return number;
  };
  window.cancelAnimationFrame = (id) => { waiting.delete(id); };
})();
