import { expect, it } from 'vitest'
import { sampleRun, sampleVisit } from '../../testing/sample-run.ts'
import { createPaint } from '../text/paint.ts'
import { documentLines, mainDocument } from './document-lines.ts'

const report = { name: 'synthesis', text: `# Weeks\n\n${'A paragraph of words.\n'.repeat(60)}The end.` }
const citations = { name: 'citations', text: 'Verdict: APPROVED' }
const display = { paint: createPaint(false), hint: (text: string) => text, shortId: () => 'run_5nqk' }

it('takes what was written as a document for the result of a run', () => {
  const done = sampleRun({ status: 'ended', end: 'done', documents: [report, citations] })
  expect(mainDocument(done)).toBe(report)
  expect(mainDocument({ ...done, documents: [citations] })).toBe(citations)
  expect(mainDocument({ ...done, end: 'partial' })).toBe(report)
})

it('knows no main document of a run that made work, that failed or that goes on', () => {
  const run = sampleRun({ status: 'ended', documents: [citations] })
  const visits = [sampleVisit({ commit: 'c' })]
  expect(mainDocument({ ...run, end: 'land' })).toBeUndefined()
  expect(mainDocument({ ...run, end: 'partial', visits })).toBeUndefined()
  expect(mainDocument({ ...run, end: 'failed' })).toBeUndefined()
  expect(mainDocument(run)).toBeUndefined()
})

it('prints the beginning of a long document with the command that prints the rest, or the whole', () => {
  const run = sampleRun()
  const cut = documentLines(run, report, display, true)
  expect(cut.slice(0, 4)).toEqual(['', '# Weeks', '', 'A paragraph of words.'])
  expect(cut.at(-1)).toBe('23 more lines; the whole: muster export run_5nqk')
  expect(documentLines(run, report, { ...display, columns: 20 }, true).length).toBeLessThan(cut.length)
  expect(documentLines(run, report, display, false).at(-1)).toBe('The end.')
})

it('heads a document without a title with its name', () => {
  expect(documentLines(sampleRun(), citations, display, true)).toEqual([
    '',
    'citations',
    '',
    'Verdict: APPROVED',
  ])
})
