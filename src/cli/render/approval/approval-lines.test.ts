import { describe, expect, it } from 'vitest'
import { sampleApproval } from '../../testing/sample-wire.ts'
import type { Display } from '../text/display.ts'
import { createPaint } from '../text/paint.ts'
import { approvalLines, decisionLine, decisionLines } from './approval-lines.ts'

const NOW = new Date('2026-01-02T03:14:05.000Z')
const display: Display = { paint: createPaint(false), hint: (text) => text, shortId: (id) => id }

const file = {
  path: 'moved.txt',
  added: 0,
  removed: 0,
  isBinary: false,
  status: 'renamed',
  from: 'file.txt',
} as const
const landing = sampleApproval({
  summary: 't1-1 and t2-3 want to land together',
  unusual: [],
  candidateId: 'cnd_1',
  action: {
    type: 'landing',
    tasks: [
      { name: 't1-1', title: 'Parse weeks' },
      { name: 't2-3', title: 'Print weeks' },
    ],
    directory: '/srv/project',
    branch: 'muster/job',
    onto: 'b'.repeat(40),
    commit: 'c'.repeat(40),
    tree: 't'.repeat(40),
    landingIds: [],
    diff: { files: [file], patch: '@@ -1 +1 @@\n-old\n+new\n', isCut: false },
  },
  evidence: {
    checks: [{ command: 'npm test', passed: true, detail: '', tree: 't' }],
    reviews: [
      { taskId: 'tsk_1', task: 't1-1', agent: 'eve', verdict: 'approved', summary: 'Good work.\nMore.' },
    ],
  },
})

describe('a landing that waits for a person', () => {
  it('is shown with its files, checks and reviews, and the patch at the end', () => {
    const lines = approvalLines(landing, NOW, display, 'whole')
    for (const line of [
      '  who    the merge queue',
      '  what   land cccccccccc on muster/job',
      '         renamed  file.txt -> moved.txt',
      '  check passed: npm test',
      '  review of t1-1 by eve: approved: Good work.',
      '  where  /srv/project',
    ]) {
      expect(lines).toContain(line)
    }
    expect(lines.slice(-4)).toEqual(['', '@@ -1 +1 @@', '-old', '+new'])
    expect(approvalLines(landing, NOW, display, 'brief').join('\n')).not.toContain('+new')
  })

  it('names only the first of very many files', () => {
    const files = Array.from({ length: 2_500 }, (_, index) => ({ ...file, path: `f${index}` }))
    const { action } = landing
    if (action.type !== 'landing') throw new Error('not a landing')
    const many = { ...landing, action: { ...action, diff: { files, patch: '', isCut: true } } }
    const lines = approvalLines(many, NOW, display, 'brief')
    expect(lines.filter((line) => line.includes('renamed'))).toHaveLength(8)
    expect(lines).toContain('         and 2,492 more files')
  })

  it('shows why it waits in every mode', () => {
    const unusual = ['it changes 12,290 files']
    const lines = approvalLines({ ...landing, unusual }, NOW, display, 'brief')
    expect(lines).toContain('  unusual: it changes 12,290 files')
  })

  it('warns if nothing was checked', () => {
    const evidence = { checks: [], reviews: [] }
    expect(approvalLines({ ...landing, evidence }, NOW, display, 'brief')).toContain(
      '  no checks are configured: nothing was checked',
    )
  })
})

describe('a tool use that waits for a person', () => {
  it('is a sentence with the whole command, what is unusual, and the rest of the input', () => {
    const action = {
      type: 'tool-use',
      tool: 'Bash',
      input: { command: 'curl x |\nsh', timeout: 5 },
      directory: '/trees/one',
    } as const
    const lines = approvalLines(
      sampleApproval({
        action,
        summary: 't1-1 wants to run: curl x |\nsh',
        unusual: ['uses the network', 'other'],
      }),
      NOW,
      display,
      'brief',
    )
    expect(lines.slice(1, 6)).toEqual([
      '  t1-1 wants to run: curl x |',
      '  | sh',
      '  unusual: uses the network, other',
      '  who    ada (worker)',
      '  with   timeout: 5',
    ])
  })

  it('shows characters that a terminal would hide', () => {
    const summary = 't1-1 wants to run: echo \u202egnp'
    expect(approvalLines(sampleApproval({ summary }), NOW, display, 'brief')[1]).toBe(
      '  t1-1 wants to run: echo \\u202egnp',
    )
  })
})

describe('a gate of a playbook', () => {
  it('names the command that shows the work it is about', () => {
    const action = {
      type: 'gate',
      runId: 'run_1',
      playbook: 'tdd',
      stage: 'tests_gate',
      ask: 'Are these the right tests?',
      shows: [{ name: 'goal', text: 'Have zeta' }],
      commit: 'c'.repeat(40),
      directory: '/srv/project',
    } as const
    const gate = sampleApproval({ summary: 'tdd asks: Are these the right tests?', unusual: [], action })
    const lines = approvalLines(gate, NOW, display, 'brief')
    expect(lines).toContain('  work   cccccccccc')
    expect(lines).toContain(`  diff   muster diff ${gate.id}`)
  })
})

describe('a decision', () => {
  it('is one line with its effect', () => {
    expect(decisionLine({ ...landing, status: 'allowed' }, display)).toBe('approved; t1-1, t2-3 will land')
    expect(decisionLine({ ...landing, status: 'denied', reason: 'not\nyet' }, display)).toBe(
      'denied: not yet; t1-1, t2-3 will not land',
    )
    expect(decisionLine(sampleApproval({ status: 'allowed' }), display)).toBe(
      'approved; t1-1 may run: rm -rf build',
    )
  })

  it('against work names the command that restores the work', () => {
    const jobId = `job_${'1'.repeat(20)}`
    const denied = decisionLines({ ...landing, jobId, status: 'denied' }, display)
    expect(denied.at(-1)).toMatch(new RegExp(`^  the work is kept: muster .*recover ${jobId}$`))
    const allowed = decisionLines({ ...landing, jobId, status: 'allowed' }, display)
    expect(allowed.join('\n')).not.toContain('recover')
    expect(decisionLines(sampleApproval({ status: 'denied', jobId }), display).join('\n')).not.toContain(
      'recover',
    )
  })
})
