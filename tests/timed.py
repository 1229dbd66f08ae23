"""A script for the pages of benches: when a change is painted, and how many bytes a server has sent."""

# `bench.painted()` comes in the task after the next frame; `bench.bytes` sums what web sockets have received.
TIMED = """
window.bench = { bytes: 0 };
bench.painted = () => new Promise((done) => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => done(performance.now());
  channel.port2.postMessage(0);
}));
{
  const noted = (listener) => function (event) {
    bench.bytes += event.data.byteLength ?? event.data.size ?? event.data.length;
    return listener.call(this, event);
  };
  const add = WebSocket.prototype.addEventListener;
  WebSocket.prototype.addEventListener = function (type, listener, ...rest) {
    return add.call(this, type, type === 'message' ? noted(listener) : listener, ...rest);
  };
  const onmessage = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
  Object.defineProperty(WebSocket.prototype, 'onmessage', {
    ...onmessage, set(listener) { onmessage.set.call(this, listener && noted(listener)); },
  });
}
"""
