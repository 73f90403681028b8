import type { Session } from '../../domain/session/session.ts'
import type { HostSight } from '../../ports/session-host.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { hostOf } from './host-of.ts'

type Needs = Pick<EngineNeeds, 'host' | 'terminals'>

/** The program of a session's present life, whether it runs on a terminal or without one. */
export type Program = {
  look(): Promise<HostSight>
  /** Asks, waits, insists; nothing is left then. */
  stop(graceMs: number): Promise<void>
  /** Tells it that nothing more will be said. */
  closeInput(): Promise<void>
  watch(onChange: () => void): Disposable
  remove(): Promise<void>
}

export function programOf(needs: Needs, session: Pick<Session, 'id' | 'life' | 'mode'>): Program {
  const hostId = hostOf(session)
  if (session.mode === 'headless') {
    const { host } = needs
    return {
      look: () => host.look(hostId),
      stop: (graceMs) => host.stop(hostId, graceMs),
      closeInput: () => host.closeInput(hostId),
      watch: (onChange) => host.watch(hostId, onChange),
      remove: () => host.remove(hostId),
    }
  }
  const { terminals, host } = needs
  return {
    look: () => terminals.look(hostId),
    stop: (graceMs) => terminals.close(hostId, graceMs),
    // A person's screen has no input to close: it is asked to end like any program.
    closeInput: () => Promise.resolve(),
    watch: (onChange) => terminals.watch(hostId, onChange),
    async remove() {
      await terminals.remove(hostId)
      await host.remove(hostId)
    },
  }
}
