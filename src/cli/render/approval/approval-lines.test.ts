import { describe, expect, it } from 'vitest'
import { sampleApproval } from '../../testing/sample-wire.ts'
import type { Look } from '../text/look.ts'
import { createPaint } from '../text/paint.ts'
import { approvalLines, decisionLine } from './approval-lines.ts'

const NOW = new Date('2026-01-02T03:14:05.000Z')
const look: Look = { paint: createPaint(false), hint: (text) => text }

const file = { path: 'moved.txt', added: 0, removed: 0, isBinary: false, status: 'renamed', from: 'file.txt' }
const landing = sampleApproval({
  candidateId: 'cnd_1',
  action: {
    tool: 'land',
    reason: '1.1 Parse weeks; 2.3 Print weeks',
    directory: '/srv/project',
    input: {
      branch: 'muster/job',
      commit: 'c'.repeat(40),
      files: [file],
      patch: '@@ -1 +1 @@\n-old\n+new\n',
      isCut: false,
    },
  },
  evidence: {
    checks: [{ command: 'npm test', passed: true, detail: '', tree: 't' }],
    reviews: [
      { taskId: 'tsk_1', task: '1.1', agent: 'eve', verdict: 'approved', summary: 'Good work.\nMore.' },
    ],
  },
})

describe('a landing that waits for a person', () => {
  it('is shown with its files, its checks and its reviews, and the patch at the end', () => {
    const lines = approvalLines(landing, NOW, look, 'whole')
    for (const line of [
      '  who    the merge queue',
      '  what   land cccccccccc on muster/job',
      '         renamed  file.txt -> moved.txt',
      '  check passed: npm test',
      '  review of 1.1 by eve: approved: Good work.',
      '  where  /srv/project',
    ]) {
      expect(lines).toContain(line)
    }
    expect(lines.slice(-4)).toEqual(['', '@@ -1 +1 @@', '-old', '+new'])
    expect(approvalLines(landing, NOW, look, 'brief').join('\n')).not.toContain('+new')
  })

  it('says when nothing was tested', () => {
    const evidence = { checks: [], reviews: [] }
    expect(approvalLines({ ...landing, evidence }, NOW, look, 'brief')).toContain(
      '  no checks are configured: nothing was tested',
    )
  })
})

describe('a decision', () => {
  it('is one line, with what comes of it', () => {
    const { id } = landing
    expect(decisionLine({ ...landing, status: 'allowed' }, look)).toBe(`${id} allowed; 1.1, 2.3 land`)
    expect(decisionLine({ ...landing, status: 'denied', reason: 'not\nyet' }, look)).toBe(
      `${id} denied: not yet`,
    )
    expect(decisionLine(sampleApproval({ status: 'allowed' }), look)).toBe(
      `${id} allowed; ada (worker) may use Bash`,
    )
  })
})
