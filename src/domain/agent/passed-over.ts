/** An agent that would have been chosen if it had been ready, and why it wasn't: "Claude Code is not logged in". */
export type PassedOver = { readonly agent: string; readonly reason: string }
