import { describe, expect, it } from 'vitest'
import { formatId } from '../id.ts'
import { reasonLine } from './reason-line.ts'
import { type FailureCause, suggestionFor } from './suggestion-for.ts'

const taskId = formatId('task', 1, new Uint8Array(11))

const CAUSES: readonly FailureCause[] = [
  { type: 'agent-failed', taskId },
  { type: 'timed-out', taskId },
  { type: 'nothing-changed', taskId },
  { type: 'unstarted' },
  { type: 'setup-failed' },
  { type: 'uncollected' },
  { type: 'check-failed', taskId },
  { type: 'conflict' },
  { type: 'approval-denied', taskId, jobId: formatId('job', 1, new Uint8Array(11)) },
  { type: 'dependency-lost' },
  { type: 'run-ended', taskId },
  { type: 'unjudged', taskId },
  { type: 'run-without-work', runId: formatId('run', 1, new Uint8Array(11)) },
  { type: 'budget' },
  { type: 'time' },
]

describe('a suggestion', () => {
  it.each(CAUSES)('is one line that says what to do about $type', (cause) => {
    const suggestion = suggestionFor(cause)
    expect(suggestion).not.toContain('\n')
    expect(suggestion.length).toBeGreaterThan(20)
    expect(suggestion.length).toBeLessThan(250)
  })

  it('names the work if there is any to look at', () => {
    expect(suggestionFor({ type: 'run-ended', taskId })).toContain(`muster diff ${taskId}`)
    expect(suggestionFor({ type: 'unstarted' })).toContain('muster doctor')
  })

  it('names the command that restores work which a person or a reviewer rejected', () => {
    const jobId = formatId('job', 1, new Uint8Array(11))
    const command = `\`muster recover ${taskId}\``
    expect(suggestionFor({ type: 'approval-denied', taskId, jobId })).toContain(command)
    expect(suggestionFor({ type: 'run-ended', taskId })).toContain(command)
    expect(suggestionFor({ type: 'unjudged', taskId })).toContain(command)
  })

  it("names where to read the agent's output", () => {
    expect(suggestionFor({ type: 'agent-failed', taskId })).toContain(`muster logs ${taskId}`)
    expect(suggestionFor({ type: 'nothing-changed', taskId })).toContain(`muster logs ${taskId}`)
  })

  it.each(CAUSES)('about $type names only commands that exist', (cause) => {
    expect(suggestionFor(cause)).not.toMatch(/by hand|edit the goal/)
  })
})

describe('a reason line', () => {
  it('is the first line of the reason, trimmed', () => {
    expect(reasonLine('  the check failed:\r\n  1 of 3\n')).toBe('the check failed')
    expect(reasonLine('short')).toBe('short')
    expect(reasonLine('')).toBe('')
  })

  it('is cut if it is too long for a list', () => {
    const line = reasonLine('x'.repeat(1_000))
    expect(line).toHaveLength(300)
    expect(line.endsWith('…')).toBe(true)
  })
})
