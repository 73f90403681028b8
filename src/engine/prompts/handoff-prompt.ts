/** Said to a session whose context is nearly full, before its program has to cut it. */
export const HANDOFF_REQUEST = [
  'Your context is nearly full. Commit what you have now. If your task is finished, finish as you were told at the',
  'start. If it is not, hand over: call the tool `handoff` of the server `muster` (or run `muster agent handoff`) with',
  'a summary of what is done and what you learnt, and the next steps. A fresh session then goes on in this tree.',
].join('\n')
