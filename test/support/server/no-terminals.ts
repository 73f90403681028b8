import { failure } from '../../../src/domain/result.ts'
import type { TerminalHost } from '../../../src/ports/terminal-host.ts'

/** A machine on which no terminal is open. */
export const NO_TERMINALS: TerminalHost = {
  kind: 'pty',
  open: async () => failure({ type: 'host-unstartable', problem: 'there are no terminals here' }),
  look: async () => ({ type: 'absent' }),
  write: async () => {},
  resize: async () => {},
  screen: async (hostId) => failure({ type: 'terminal-closed', hostId }),
  connect: async (hostId) => failure({ type: 'terminal-closed', hostId }),
  watch: () => ({ [Symbol.dispose]: () => {} }),
  close: async () => {},
  remove: async () => {},
  list: async () => [],
  [Symbol.asyncDispose]: async () => {},
}
