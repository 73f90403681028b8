import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import type { AnswerSchema } from '../../../domain/agent/answer-schema.ts'
import type { EventPlace } from '../../../domain/event/event-place.ts'
import type { ProjectId } from '../../../domain/id.ts'
import type { SandboxChoice } from '../../../domain/session/sandbox-policy.ts'
import type { Work } from '../../../ports/work-queue.ts'
import type { TreeRequest } from '../../../ports/working-trees.ts'

/** Where a session's program works, which program that is, and what it may do there. */
export type Workplace = {
  readonly program: /** `answer`: the format of its answer, which a plain model needs to know. */
    | { readonly type: 'agent'; readonly agent: AgentSpec; readonly answer?: AnswerSchema }
    /** A shell command from the person's configuration. */
    | { readonly type: 'command'; readonly command: string }
  readonly projectId: ProjectId
  readonly tree: TreeRequest
  /** A tree that an earlier program left there is removed first: it must not help or harm this one. */
  readonly isFresh?: boolean
  /** Commands that run in the tree before the program; none where the tree has been set up. */
  readonly setup: readonly string[]
  readonly sandbox: SandboxChoice
  /** Whether nothing in the tree may be changed, where the sandbox is strong enough to enforce it. */
  readonly isReadOnly?: boolean
  /** How long its program may run from now; absent: until somebody stops it. */
  readonly timeMs?: number
  /** The conversation that its first program continues. */
  readonly conversation?: string
  readonly environment: (sessionDirectory: string) => Readonly<Record<string, string>>
  /** Where in its job's log its output belongs. */
  readonly place: Pick<EventPlace, 'cycle' | 'taskId'>
  /** What checks a budget that it spends. Absent where there is none. */
  readonly payers?: readonly Work[]
}
