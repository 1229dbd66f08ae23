// LaidTokens: the tokens of the server's last reply, laid on the text as it is now.

import { composedChange, inverseChange } from "./change.js";
import { marksAfterReply, NO_MARKS, withChangedMarks } from "./hidden_marks.js";
import { laidTokensAndChange, NO_TOKENS, tokensAfterReply, tokensChange, touchedTokens } from "./tokens.js";

export class LaidTokens {
  constructor() {
    this.base = this.shown = NO_TOKENS; // those of the last reply, and the same on view
    this.hidden = NO_MARKS; // what hides in the text of the last reply
    /** @type {?import("./change.js").Change} */
    this.since = null; // the change of the tokens from those on view to those of the last reply
    /** @type {?import("./change.js").Change} */
    this.laidChange = null; // the change of the tokens from those of the last reply to those on view
    this.tokenizer = null; // its name and special tokens, and how it writes others
    this.isOther = false; // whether all tokens on view belong to another text or tokenizer
    this.isRenamed = false; // whether the same id now means another token
    this.special = new Set(); // ids
    this.folded = new Set(); // messages of a chat that are not shown
  }

  /** Take the tokens of a reply. */
  take(reply) {
    const { tokenizer } = reply;
    const old = tokenizer ? NO_TOKENS : this.base;
    this.base = tokensAfterReply(old, reply);
    if (tokenizer) this.setTokenizer(tokenizer);
    if (reply.raw) this.base.raw = new Map(reply.raw);
    if (reply.parts) Object.assign(this.base, { runs: reply.parts.runs, folded: this.folded });
    this.base.special = this.special;
    this.hidden = marksAfterReply(this.hidden, reply);
    this.base.describe({ ...this.tokenizer, ...reply });
    const oldStop = reply.at + reply.removed;
    const newStop = oldStop + this.base.count - old.count;
    const change = newStop === reply.at && !reply.removed ? null : { start: reply.at, oldStop, newStop };
    this.since = composedChange(this.since, change);
  }

  setTokenizer(tokenizer) {
    const old = this.tokenizer;
    this.tokenizer = tokenizer;
    this.isOther = true;
    if (old?.name === tokenizer.name && String(old.special) === String(tokenizer.special)) return;
    this.special = new Set(tokenizer.special);
    this.isRenamed = true;
  }

  /**
   * Lay the tokens on a text; return the change of the tokens on view, null for none. `change` is that of the text since
   * the last reply, `undefined` for another text, all of which then waits for its tokens. `touched` is the change of the
   * text since the last call.
   */
  lay(text, change, touched) {
    const old = this.shown;
    const { laid, changed } = change === undefined ? this.pendingTokens(text) : laidTokensAndChange(this.base, text, change);
    laid.hidden = change === undefined ? NO_MARKS : this.hidden.movedBy(change);
    const isOther = this.isOther || change === undefined;
    // Back from what was laid on the old text to the last reply, on to the new one, and to what is laid on the text now.
    let found = composedChange(composedChange(inverseChange(this.laidChange), this.since), changed);
    if (isOther) found = this.isRenamed ? { start: 0, oldStop: old.count, newStop: laid.count } : tokensChange(old, laid);
    else if (touched) {
      const { start, oldStop } = touchedTokens(old, touched);
      found = composedChange({ start, oldStop, newStop: oldStop }, found);
    }
    found = withChangedMarks(found, laid, old);
    Object.assign(this, { shown: laid, laidChange: changed, since: null, isOther: false, isRenamed: false });
    return found;
  }

  pendingTokens(text) {
    const { laid } = laidTokensAndChange(NO_TOKENS, text, { start: 0, oldStop: 0, newStop: text.length });
    return { laid, changed: { start: 0, oldStop: this.base.count, newStop: laid.count } };
  }
}
