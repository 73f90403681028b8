import type { Session } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import { copiesInto } from '../../trees/copies-into.ts'
import { treeOf } from '../../trees/tree-of.ts'
import { environmentOf } from '../session-environment.ts'
import { isAnyAsked } from './is-asked.ts'
import { keepPersonalWork } from './keep-personal-work.ts'
import type { SessionPlan } from './session-plan.ts'

type Personal = PurposeOf<'personal'>

/** A session that a person opened: one agent in its own working tree, on its own branch. */
export function planPersonal(session: Session, purpose: Personal): SessionPlan {
  const { projectId, baseCommit, agent, branch, sandbox } = purpose
  const sessionId = session.id
  return {
    findWorkplace: (needs) =>
      Promise.resolve({
        program: { type: 'agent', agent },
        projectId,
        tree: {
          project: projectId,
          directory: treeOf(needs, sessionId),
          // A question to an ended session is asked in a tree at the commit it left.
          commit: purpose.tip ?? baseCommit,
          branch,
          ...copiesInto(purpose.repositoryPath, purpose.copy),
        },
        setup: session.processNumber === 1 ? (purpose.setup ?? []) : [],
        sandbox,
        environment: (directory) => environmentOf(needs, session, directory),
        place: {},
      }),
    findBase: () => Promise.resolve({ projectId, commit: baseCommit }),
    firstPrompt: () => Promise.resolve(purpose.prompt),
    readiness: () => Promise.resolve({ type: 'ready' }),
    whenStarted: () => Promise.resolve(),
    whenEnded: () => Promise.resolve([{ type: 'session-clear', sessionId }]),
    // A question uses this tree. When the question is cleaned up, this session is too.
    isNeeded: (needs) => isAnyAsked(needs, [session]),
    clear: (needs) => keepPersonalWork(needs, session, purpose),
    clearWork: { type: 'session-clear', sessionId },
  }
}
