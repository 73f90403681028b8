import { describe, expect, it } from 'vitest'
import { mergeRuns, type Reported } from './merge-runs.ts'

const text = (line: string, isPiece = false): Reported => ({ event: { type: 'text', text: line }, isPiece })
const error = (line: string): Reported => ({ event: { type: 'error-output', text: line }, isPiece: false })
const result: Reported = { event: { type: 'result', answer: {} }, isPiece: false }

describe('mergeRuns', () => {
  it('joins neighbours of one kind and keeps everything else where it was', () => {
    const reported = [text('a'), text(''), text('b'), result, text('c'), error('d'), error('e')]
    expect(mergeRuns(reported)).toEqual([text('a\n\nb'), result, text('c'), error('d\ne')])
  })

  it('leaves pieces of a long line by themselves', () => {
    const reported = [text('a'), text('long', true), text('b'), text('c')]
    expect(mergeRuns(reported)).toEqual([text('a'), text('long', true), text('b\nc')])
  })

  it('loses no line of many and makes no text long', () => {
    const lines = Array.from({ length: 8_000 }, (_, index) => `line ${index}`)
    const merged = mergeRuns(lines.map((line) => text(line)))
    const texts = merged.flatMap(({ event }) => ('text' in event ? [event.text] : []))
    expect(texts.join('\n').split('\n')).toEqual(lines)
    expect(Math.max(...texts.map((one) => one.length))).toBeLessThanOrEqual(16 * 1024)
    expect(texts.length).toBeLessThan(10)
  })

  it('makes nothing of nothing', () => {
    expect(mergeRuns([])).toEqual([])
  })
})
