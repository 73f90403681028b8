import type { Session } from '../../domain/session/session.ts'
import type { HostSnapshot } from '../../ports/session-host.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { hostOf } from './host-of.ts'

type Needs = Pick<EngineNeeds, 'host' | 'terminals'>

/** The program of a session's current process, with or without a terminal. */
export type Program = {
  inspect(): Promise<HostSnapshot>
  /** Signals the program, waits for the grace period, then kills it. Nothing is left running. */
  stop(graceMs: number): Promise<void>
  /** Closes the program's input: it gets no more messages and may exit. */
  closeInput(): Promise<void>
  watch(onChange: () => void): Disposable
  remove(): Promise<void>
}

export function programOf(needs: Needs, session: Pick<Session, 'id' | 'processNumber' | 'mode'>): Program {
  const hostId = hostOf(session)
  if (session.mode === 'headless') {
    const { host } = needs
    return {
      inspect: () => host.inspect(hostId),
      stop: (graceMs) => host.stop(hostId, graceMs),
      closeInput: () => host.closeInput(hostId),
      watch: (onChange) => host.watch(hostId, onChange),
      remove: () => host.remove(hostId),
    }
  }
  const { terminals, host } = needs
  return {
    inspect: () => terminals.inspect(hostId),
    stop: (graceMs) => terminals.close(hostId, graceMs),
    // A terminal has no input to close: the program is stopped by a signal.
    closeInput: () => Promise.resolve(),
    watch: (onChange) => terminals.watch(hostId, onChange),
    async remove() {
      await terminals.remove(hostId)
      await host.remove(hostId)
    },
  }
}
