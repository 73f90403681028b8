/** Sent to a session whose context is nearly full, before its program has to compact it. */
export const HANDOFF_REQUEST = [
  'Your context is nearly full. Commit what you have now. If your task is finished, finish as described at the',
  'start. If it is not, hand over: call the tool `handoff` of the server `muster` (or run `muster agent handoff`) with',
  'a summary of what is done and what you learned, and the next steps. A new session then continues in this tree.',
].join('\n')
