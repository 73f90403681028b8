import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleJob, exampleSession } from '../../../test/support/example-records.ts'
import { claudeCodeDialogue } from '../../adapters/agents/claude-code/claude-code-dialogue.ts'
import { createClaudeCodeProvider } from '../../adapters/agents/claude-code/claude-code-provider.ts'
import { createCodexProvider } from '../../adapters/agents/codex/codex-provider.ts'
import { createCommandProvider } from '../../adapters/agents/command/command-provider.ts'
import { readWorkReport } from '../../domain/attempt/read-work-report.ts'
import { readDiscoveryAnswer } from '../../domain/discovery/read-discovery-answer.ts'
import { ANSWER_LIMITS } from '../../domain/limits/answer-limits.ts'
import { LANDING_LIMITS } from '../../domain/limits/landing-limits.ts'
import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
import { SecretSet } from '../../domain/redaction/redact.ts'
import { redactValue } from '../../domain/redaction/redact-value.ts'
import { secretOf } from '../../domain/redaction/secret.ts'
import { readVerdict } from '../../domain/review/read-verdict.ts'
import { NO_CONVERSATION } from '../../domain/session/conversation-state.ts'
import { reasonLine } from '../../domain/task/reason-line.ts'
import type { HostSnapshot, Spool } from '../../ports/session-host.ts'
import { lastWordsIn } from '../attempts/last-words.ts'
import { findCheckProblem } from '../checks/find-check-problem.ts'
import { AgentProviderRegistry } from '../providers/agent-provider-registry.ts'
import { Conversation } from './conversation.ts'
import { readSpools } from './listen/read-spools.ts'
import { readSpoolEnd } from './read-spool-end.ts'

/** More characters of a secret than this never survive a cut. */
const MOST_SURVIVING = 3
const PROVIDERS = [createCommandProvider(), createClaudeCodeProvider(), createCodexProvider()]

type Printed = { readonly spool?: Spool; readonly isTruncated?: boolean; readonly provider?: string }
type Trial = {
  readonly needs: Parameters<typeof readSpools>[0] & Parameters<typeof findCheckProblem>[0]
  readonly session: ReturnType<typeof exampleSession>
  readonly secrets: SecretSet
}

/** A session whose program has printed this and exited with status 3. */
function printed(secret: string, text: string, options: Printed = {}): Trial {
  const { spool = 'err', isTruncated = false, provider = 'command' } = options
  const bytes = new TextEncoder().encode(text)
  const secrets = new SecretSet([secretOf('key', secret)])
  const host = {
    read: async (_: unknown, asked: Spool, from: number, limit: number) =>
      asked === spool ? bytes.subarray(from, from + limit) : new Uint8Array(),
    truncated: async () => isTruncated,
    inspect: async (): Promise<HostSnapshot> => ({ type: 'exited', code: 3 }),
  }
  const needs = {
    host,
    providers: new AgentProviderRegistry(PROVIDERS, 'command'),
    settings: { redaction: secrets, handoffShare: 1 },
    clock: { now: () => new Date() },
  } as unknown as Trial['needs']
  const offset = { [spool === 'err' ? 'errOffset' : 'outOffset']: bytes.length }
  const state = { type: 'running', pid: 1, startTime: '1' } as const
  const session = exampleSession(exampleJob(), { provider, mode: 'headless', state, ...offset })
  return { needs, session, secrets }
}

async function endOf(trial: Trial, spool: Spool, bytes: number): Promise<string> {
  return (await readSpoolEnd(trial.needs, trial.session, spool, bytes)).text
}

/** What is stored of a session's output: its events, after the store has redacted them. */
async function eventsOf(
  { needs, session, secrets }: Trial,
  conversation = NO_CONVERSATION,
): Promise<unknown> {
  const stored: unknown[] = []
  let tail = { session, outOffset: 0, errOffset: 0, conversation, scannedTo: 0, inspectedAt: 0 }
  for (;;) {
    const { progress, hasMore, scannedTo } = await readSpools(needs, tail)
    if (progress !== undefined) {
      const { toOut: outOffset, toErr: errOffset } = progress
      tail = { ...tail, outOffset, errOffset, conversation: progress.conversation ?? tail.conversation }
      stored.push(redactValue(progress.events, secrets.redact))
    }
    tail = { ...tail, scannedTo }
    if (!hasMore) return [stored, tail.conversation.turn]
  }
}

const claude = (message: object) => ({ ...message, session_id: 's', parent_tool_use_id: null })
const CONVERSATION = Conversation.open(
  claudeCodeDialogue,
  { prompt: 'do it', treeDirectory: '/tree', permissions: 'ask' },
  NO_CONVERSATION,
)

type Cut = {
  readonly name: string
  /** Characters before the cut. */
  readonly limit: number
  /** Cut at this distance from the end of the text, instead of from its start. */
  readonly fromEnd?: boolean
  readonly stored: (secret: string, text: string) => unknown
}

const inAnswer =
  (answerOf: (text: string) => object, read: (answer: unknown) => unknown): Cut['stored'] =>
  async (secret, text) => {
    const trial = printed(secret, `${JSON.stringify({ type: 'result', ...answerOf(text) })}\n`, {
      spool: 'out',
    })
    return read(createCommandProvider().findAnswer(await endOf(trial, 'out', SESSION_LIMITS.answerBytes)))
  }

const CUTS: readonly Cut[] = [
  {
    name: 'the line that explains a failure',
    limit: 199,
    stored: async (secret, text) => lastWordsIn(await endOf(printed(secret, text), 'err', 4_000))?.line,
  },
  {
    name: 'the end of the error output',
    limit: 4_000,
    fromEnd: true,
    stored: async (secret, text) => lastWordsIn(await endOf(printed(secret, text), 'err', 4_000)),
  },
  {
    name: 'the end of output beyond the cap',
    limit: 500,
    stored: async (secret, text) => {
      const trial = printed(secret, text.slice(0, 500), { isTruncated: true })
      return [await endOf(trial, 'err', 4_000), await eventsOf(trial)]
    },
  },
  {
    name: 'the output of a check',
    limit: LANDING_LIMITS.checkOutputBytes,
    fromEnd: true,
    stored: async (secret, text) => {
      const { needs, session } = printed(secret, text, { spool: 'out' })
      const tree = { projectId: exampleJob().projectId, directory: '/tree', commit: 'a', setup: [] }
      return await findCheckProblem(needs, tree, session, { type: 'exited', code: 3 })
    },
  },
  {
    name: 'the reason of a failed check',
    limit: 199,
    stored: async (secret, text) => reasonLine(await endOf(printed(secret, text), 'err', 4_000)),
  },
  {
    name: 'a summary',
    limit: ANSWER_LIMITS.summaryCharacters,
    stored: inAnswer(
      (summary) => ({ summary }),
      (answer) => readWorkReport(answer, 1),
    ),
  },
  {
    name: 'a learning',
    limit: 400,
    stored: inAnswer(
      (text) => ({ learnings: [text] }),
      (answer) => readWorkReport(answer, 1),
    ),
  },
  {
    name: 'the evidence of a clause',
    limit: ANSWER_LIMITS.evidenceCharacters,
    stored: inAnswer(
      (evidence) => ({ tasks: [], done: true, evidence: [{ clause: 1, evidence }] }),
      (answer) => readDiscoveryAnswer(answer, ['a clause']),
    ),
  },
  {
    name: "a reviewer's finding",
    limit: ANSWER_LIMITS.visit.textCharacters,
    stored: inAnswer(
      (issue) => ({
        verdict: 'NEEDS_REVISION',
        issues: [{ severity: 'major', location: 'a', issue, suggestion: 'b' }],
      }),
      (answer) => readVerdict(answer, 1),
    ),
  },
  {
    name: 'a long line of text',
    limit: 64 * 1024 - 36,
    stored: (secret, text) => eventsOf(printed(secret, text, { spool: 'out' })),
  },
  {
    name: 'the input of a tool',
    limit: 64 * 1024 - 46,
    stored: (secret, command) => {
      const call = { type: 'tool-call', name: 'Bash', input: { command } }
      return eventsOf(printed(secret, `${JSON.stringify(call)}\n`, { spool: 'out' }))
    },
  },
  {
    name: 'a line that is stored in pieces',
    limit: SESSION_LIMITS.plainLineBytes,
    stored: (secret, text) => eventsOf(printed(secret, `${text}${'.'.repeat(70_000)}`)),
  },
  {
    name: 'the reason for a permission request of Claude Code',
    limit: 2_000,
    stored: (secret, text) => {
      const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, decision_reason: text }
      const line = JSON.stringify(claude({ type: 'control_request', request_id: 'q', request }))
      return eventsOf(printed(secret, `${line}\n`, { spool: 'out', provider: 'claude-code' }), CONVERSATION)
    },
  },
  {
    name: 'the answer of Claude Code',
    limit: 64 * 1024 - 36,
    stored: (secret, result) => {
      const line = JSON.stringify(claude({ type: 'result', subtype: 'success', is_error: false, result }))
      return eventsOf(printed(secret, `${line}\n`, { spool: 'out', provider: 'claude-code' }), CONVERSATION)
    },
  },
]

describe('a secret at a cut', () => {
  it.each(CUTS)('is gone from $name', async ({ limit, fromEnd, stored }) => {
    const secrets = fc.stringMatching(/^[A-Z0-9]{15,60}7$/)
    await fc.assert(
      fc.asyncProperty(secrets, fc.nat(), async (secret, choice) => {
        const before = choice % (secret.length + 3)
        const ahead = '.'.repeat(fromEnd === true ? 300 : limit - before)
        const behind = '.'.repeat(fromEnd === true ? limit - before : 300)
        const text = JSON.stringify(await stored(secret, `${ahead}${secret}${behind}`))
        expect(text).toContain('...')
        expect(survivorsIn(text, secret)).toEqual([])
      }),
      { numRuns: limit > 10_000 ? 20 : 100 },
    )
  })
})

describe('a permission request with a secret', () => {
  it('is shown without it, but is sent back to the program unchanged', async () => {
    const secret = 'SK7ANT9API03ZX9QW7'
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: `curl ${secret}` } }
    const line = JSON.stringify(claude({ type: 'control_request', request_id: 'q', request }))
    const { redact } = new SecretSet([secretOf('key', secret)])
    const conversation = new Conversation(claudeCodeDialogue, CONVERSATION)
    expect(conversation.hear(line, redact(line))).toMatchObject([
      { type: 'permission-request', input: { command: 'curl [redacted:key]' } },
    ])
    conversation.give({ type: 'decide', requestId: 'q', decision: { type: 'allow' } })
    expect(conversation.state.lastInput).toContain(secret)
  })
})

/** The parts of the secret, longer than allowed, that a text contains. */
function survivorsIn(text: string, secret: string): readonly string[] {
  const length = MOST_SURVIVING + 1
  const parts = Array.from({ length: secret.length - length + 1 }, (_, at) => secret.slice(at, at + length))
  return parts.filter((part) => text.includes(part))
}
