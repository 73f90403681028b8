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
import { suspendIfUnready } from './suspend-if-unready.ts'

type Needs = Pick<
  EngineNeeds,
  | 'store'
  | 'host'
  | 'terminals'
  | 'clock'
  | 'crash'
  | 'settings'
  | 'assignments'
  | 'adoptSession'
  | 'providers'
  | 'configuration'
  | 'wakeAt'
>

/** Records that a session must stop. The stop itself is queued work, so a crash can't lose it. */
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

/** Like `requestStop`, in the caller's transaction. */
export async function storeStop(
  needs: Pick<Needs, 'clock' | 'settings'>,
  records: Records,
  session: Session,
  why: TerminationCause,
  isForced = false,
): Promise<Result<Session, IllegalTransition>> {
  const state = nextSessionState(session.state, { type: 'stop-request', why, isForced })
  if (!state.ok) return failure(state.failure)
  // A suspended session has no running program, so it ends at once.
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
      follow: [{ type: 'session-stop', sessionId: session.id, ...(isForced ? { isForced } : {}) }],
    },
  )
  return success(saved)
}

/**
 * Stops the program. Whoever reads its spools records its last lines and its end. A program that has finished its
 * work, or is being suspended, first gets a chance to exit by itself after its input is closed: it can then write
 * its own records completely, which a resume needs.
 */
export async function stopSession(needs: Needs, sessionId: SessionId): Promise<void> {
  // The suspension sends this work again.
  if (await suspendIfUnready(needs, sessionId)) return
  const session = await needs.store.read.sessions.find(sessionId)
  const manner = session === undefined ? undefined : mannerOf(session)
  if (session === undefined || manner === undefined) return
  const program = programOf(needs, session)
  if (manner === 'close-input') await closeInput(needs, session, program)
  await program.stop(manner === 'force' ? 0 : needs.settings.stopGraceMs)
  const snapshot = await program.inspect()
  if (snapshot.type === 'absent')
    return endSession(needs, sessionId, { type: 'lost', reason: 'its program never started' })
  needs.adoptSession(sessionId)
}

/**
 * How to stop a session's program, or undefined to leave it alone. In the middle of a turn, closing the input isn't
 * enough: the program would keep working to the end of the turn, so it gets a signal instead.
 */
function mannerOf({ state, conversation }: Session): 'close-input' | 'signal' | 'force' | undefined {
  if (state.type === 'suspended' && state.hasExited) return undefined
  if (state.type === 'suspended') return conversation.openTurns > 0 ? 'signal' : 'close-input'
  if (state.type !== 'terminating') return undefined
  if (state.isForced === true) return 'force'
  return state.why.type === 'finished' || state.why.type === 'handed-over' ? 'close-input' : 'signal'
}

async function closeInput(needs: Needs, session: Session, program: Program): Promise<void> {
  await program.closeInput()
  needs.crash.reach('conversation.after-exit-request')
  if (session.mode === 'headless') await waitForEnd(needs, program)
}

async function waitForEnd(needs: Needs, program: Program): Promise<void> {
  const patience = AbortSignal.timeout(needs.settings.finishGraceMs)
  await new Promise<void>((resolve) => {
    const watch = program.watch(() => void inspect())
    const leave = () => {
      watch[Symbol.dispose]()
      resolve()
    }
    const inspect = async () => {
      const snapshot = await program.inspect().catch(() => undefined)
      if (snapshot?.type !== 'running') leave()
    }
    patience.addEventListener('abort', leave)
    void inspect()
  })
}
