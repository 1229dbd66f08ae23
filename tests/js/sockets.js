// Sockets that a test opens and speaks for, in place of a browser's.

export const sockets = []; // in the order in which they were made

export class FakeSocket {
  static OPEN = 1;
  constructor(url, protocols) {
    Object.assign(this, { token: protocols[1], readyState: 0, sent: [] });
    sockets.push(this);
  }

  send(message) { this.sent.push(JSON.parse(message)); }

  close() { this.readyState = 3; }

  open() {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }

  tell(...message) { this.onmessage({ data: JSON.stringify(message) }); }
}
