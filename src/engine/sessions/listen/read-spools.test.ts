import path from 'node:path'
import { expect, it } from 'vitest'
import { exampleJob, exampleSession } from '../../../../test/support/example-records.ts'
import { readTranscript } from '../../../../test/support/transcript.ts'
import { claudeCodeDialogue } from '../../../adapters/agents/claude-code/claude-code-dialogue.ts'
import { createClaudeCodeProvider } from '../../../adapters/agents/claude-code/claude-code-provider.ts'
import { SecretSet } from '../../../domain/redaction/redact.ts'
import { NO_CONVERSATION } from '../../../domain/session/conversation-state.ts'
import { HANDOFF_REQUEST } from '../../prompts/handoff-prompt.ts'
import { AgentProviderRegistry } from '../../providers/agent-provider-registry.ts'
import { Conversation } from '../conversation.ts'
import { readSpools } from './read-spools.ts'

const TRANSCRIPT = path.resolve(
  import.meta.dirname,
  '../../../../test/fixtures/transcripts/claude-code/hello.jsonl',
)

/** What the program printed up to its first tool call, in the middle of its first turn. */
function printedUntilToolCall(): Uint8Array {
  const lines = readTranscript(TRANSCRIPT).entries.flatMap((entry) =>
    entry.dir === 'out' ? [entry.line] : [],
  )
  const call = lines.findIndex((line) => line.includes('"tool_use"'))
  return new TextEncoder().encode(
    lines
      .slice(0, call + 1)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

async function readTurn(handoffShare: number) {
  const session = exampleSession(exampleJob(), {
    provider: 'claude-code',
    mode: 'headless',
    state: { type: 'running', pid: 1, startTime: '1' },
  })
  const opening = { prompt: 'do it', treeDirectory: '/tree', permissions: 'bypass' } as const
  const conversation = Conversation.open(claudeCodeDialogue, opening, NO_CONVERSATION)
  const bytes = printedUntilToolCall()
  const needs = {
    host: {
      read: (_: unknown, spool: string, from: number) =>
        Promise.resolve(spool === 'out' ? bytes.subarray(from) : new Uint8Array()),
      inspect: () => Promise.resolve({ type: 'running' }),
    },
    providers: new AgentProviderRegistry([createClaudeCodeProvider()], 'claude-code'),
    settings: { handoffShare, redaction: new SecretSet() },
    clock: { now: () => new Date() },
  } as unknown as Parameters<typeof readSpools>[0]
  const read = await readSpools(needs, {
    session,
    outOffset: 0,
    errOffset: 0,
    conversation,
    scannedTo: 0,
    inspectedAt: 0,
  })
  return read.progress?.conversation
}

it('asks Claude Code to hand over in the middle of a turn if its context is nearly full', async () => {
  const conversation = await readTurn(0.01)
  expect(conversation).toMatchObject({ isAskedToHandOff: true, openTurns: 2, contextWindow: 1_000_000 })
  expect(conversation?.lastInput).toContain('"subtype":"interrupt"')
  // The request is sent once the interrupted turn has ended.
  expect(conversation?.dialogue?.['waiting']).toEqual([HANDOFF_REQUEST])
})

it('stores how far setup has come, with the lines that report it', async () => {
  const printed = new TextEncoder().encode('muster: running setup\nadded 3\n\nmuster: setup command 2 of 2\n')
  const needs = {
    host: {
      read: (_: unknown, spool: string, from: number) =>
        Promise.resolve(spool === 'err' ? printed.subarray(from) : new Uint8Array()),
      inspect: () => Promise.resolve({ type: 'running' }),
    },
    providers: new AgentProviderRegistry([createClaudeCodeProvider()], 'claude-code'),
    settings: { redaction: new SecretSet() },
    clock: { now: () => new Date() },
  } as unknown as Parameters<typeof readSpools>[0]
  const session = exampleSession(exampleJob(), { state: { type: 'running', pid: 1, startTime: '1' } })
  const offsets = { outOffset: 0, errOffset: 0, scannedTo: 0, inspectedAt: 0 }
  const read = await readSpools(needs, { session, ...offsets, conversation: NO_CONVERSATION })
  expect(read.progress?.toErr).toBe(printed.length)
  expect(read.progress?.conversation).toEqual({ ...NO_CONVERSATION, setup: { type: 'running', number: 2 } })
})

it('asks for nothing while the context has room', async () => {
  expect(await readTurn(0.85)).not.toHaveProperty('isAskedToHandOff')
})
