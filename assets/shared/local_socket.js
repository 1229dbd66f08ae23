// LocalSocket: what speaks as the server's socket does where there is no server.

export class LocalSocket {
  constructor() {
    /** @type {number} */
    this.readyState = WebSocket.CONNECTING;
    this.onopen = this.onmessage = this.onclose = null;
    queueMicrotask(() => {
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    });
  }

  /** Say a message of the server to the page. */
  tell(data) { this.onmessage?.({ data }); }

  close() { this.readyState = WebSocket.CLOSED; }
}
