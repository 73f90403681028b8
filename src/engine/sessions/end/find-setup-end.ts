import type { Session } from '../../../domain/session/session.ts'
import type { SessionEnd } from '../../../domain/session/session-state.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { SETUP_FAILED } from '../../trees/with-setup.ts'
import { hostOf } from '../host-of.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { PlanNeeds } from '../purposes/session-plan.ts'

const LAST_BYTES = 256
const LAST_WORDS = /(?:^|\n)muster: setup command (\d+) failed with status (\d+)\s*$/

/**
 * Distinguishes a failed setup from a failed program. A program that prints the same text and exits with the same
 * status only makes its own failure look like another.
 */
export async function findSetupEnd(
  needs: PlanNeeds,
  session: Session,
  seen: SessionEnd,
  readLastWords: () => Promise<string>,
): Promise<SessionEnd> {
  if (seen.type !== 'exited' || seen.code !== SETUP_FAILED) return seen
  const setup = (await planOf(session).findWorkplace(needs))?.setup ?? []
  if (setup.length === 0) return seen
  const [, number, status] = LAST_WORDS.exec(await readLastWords()) ?? []
  const command = setup[Number(number) - 1]
  return command === undefined ? seen : { type: 'unprepared', command, code: Number(status) }
}

/** The end of what a session without a terminal said on its standard error. */
export async function lastErrorsOf(needs: Pick<EngineNeeds, 'host'>, session: Session): Promise<string> {
  const from = Math.max(0, session.errOffset - LAST_BYTES)
  return new TextDecoder().decode(await needs.host.read(hostOf(session), 'err', from, LAST_BYTES))
}

/** The end of what is on the screen of one that has a terminal. */
export async function lastScreenOf(needs: Pick<EngineNeeds, 'terminals'>, session: Session): Promise<string> {
  const screen = await needs.terminals.screen(hostOf(session))
  return screen.ok ? screen.value.trimEnd() : ''
}
