import type { SessionId } from '../../../domain/id.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { nextSessionState } from '../../../domain/session/next-session-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { TerminationCause } from '../../../domain/session/session-state.ts'
import type { IllegalTransition } from '../../../domain/transition.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { type Program, programOf } from '../program-of.ts'
import { endSession, storeEnd } from './end-session.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'host' | 'terminals' | 'clock' | 'crash' | 'settings' | 'roles' | 'adoptSession'
>

/** Writes down that a session must stop; the stopping follows as work, so that a death does not forget it. */
export async function requestStop(
  needs: Pick<Needs, 'store' | 'clock' | 'settings'>,
  sessionId: SessionId,
  why: TerminationCause,
  isForced = false,
): Promise<Result<Session, IllegalTransition> | undefined> {
  return await needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    return session === undefined ? undefined : await storeStop(needs, records, session, why, isForced)
  })
}

/** The same in the transaction of whoever decided it. */
export async function storeStop(
  needs: Pick<Needs, 'clock' | 'settings'>,
  records: Records,
  session: Session,
  why: TerminationCause,
  isForced = false,
): Promise<Result<Session, IllegalTransition>> {
  const state = nextSessionState(session.state, { type: 'stop-request', why, isForced })
  if (!state.ok) return failure(state.failure)
  // Nothing of one that rests is running: it is over at once.
  if (state.value.type === 'terminated') {
    await storeEnd(needs, records, session, state.value)
    return success({ ...session, state: state.value })
  }
  const saved = await records.sessions.save(
    { ...session, state: state.value },
    {
      audit: {
        actor: 'engine',
        action: 'session-stop',
        subject: session.id,
        detail: { why: why.type, isForced },
      },
      follow: [{ type: 'session-stop', sessionId: session.id }],
    },
  )
  return success(saved)
}

/**
 * Stops the program; its last lines and its end are recorded by whoever reads its spools. One whose work is
 * done, or that is to rest, is told that nothing more comes and may end by itself first: it then keeps its own
 * records whole, which a resume needs.
 */
export async function stopSession(needs: Needs, sessionId: SessionId): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  const manner = session === undefined ? undefined : mannerOf(session)
  if (session === undefined || manner === undefined) return
  const program = programOf(needs, session)
  if (manner === 'farewell') await sayFarewell(needs, session, program)
  await program.stop(manner === 'force' ? 0 : needs.settings.stopGraceMs)
  const sight = await program.look()
  if (sight.type === 'absent')
    return endSession(needs, sessionId, { type: 'lost', reason: 'it never started' })
  needs.adoptSession(sessionId)
}

/**
 * How a session's program is stopped; undefined when it is not to be. One that is to rest in the middle of a turn
 * would work on to the turn's end if it were told that nothing more comes, so it is asked by a signal.
 */
function mannerOf({ state, talk }: Session): 'farewell' | 'ask' | 'force' | undefined {
  if (state.type === 'suspended' && state.isOver) return undefined
  if (state.type === 'suspended') return talk.openTurns > 0 ? 'ask' : 'farewell'
  if (state.type !== 'terminating') return undefined
  if (state.isForced === true) return 'force'
  return state.why.type === 'finished' || state.why.type === 'handed-over' ? 'farewell' : 'ask'
}

async function sayFarewell(needs: Needs, session: Session, program: Program): Promise<void> {
  await program.closeInput()
  needs.crash.reach('talk.after-farewell')
  if (session.mode === 'headless') await waitForEnd(needs, program)
}

async function waitForEnd(needs: Needs, program: Program): Promise<void> {
  const patience = AbortSignal.timeout(needs.settings.finishGraceMs)
  await new Promise<void>((resolve) => {
    const watch = program.watch(() => void look())
    const leave = () => {
      watch[Symbol.dispose]()
      resolve()
    }
    const look = async () => {
      const sight = await program.look().catch(() => undefined)
      if (sight?.type !== 'running') leave()
    }
    patience.addEventListener('abort', leave)
    void look()
  })
}
