import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutLines } from '../../src/engine/sessions/listen/spool-lines.ts'
import type { Dialogue, DialogueState } from '../../src/ports/dialogue.ts'
import {
  eventsFileOf,
  readTranscripts,
  type Transcript,
  type TranscriptEntry,
} from '../support/transcript.ts'
import { anyLine, garbageLine, mutated, mutatedLine } from './garbage.ts'
import { HOSTILE_LINES } from './hostile-lines.ts'
import { answerTo, countEnds, frozen, type ReplayPoint, replay } from './replay.ts'
import { expectStorable, expectUnpolluted } from './storable.ts'

const STATE_LIMIT = 64 * 1024
const MAX_LINE_BYTES = 128 * 1024
const SLOW_MS = 5_000
const OPENING = { prompt: 'do it', treeDirectory: '/home/ada/tree', permissions: 'ask' } as const

/**
 * Every dialogue runs this suite on recordings of its real program; passing it is the definition of a Dialogue. The
 * expected events are next to each recording. For a new recording, the first run writes them. Review them then.
 */
export function describeDialogue(name: string, create: () => Dialogue, transcriptsDirectory: string): void {
  const transcripts = readTranscripts(transcriptsDirectory)
  describe(`${name} as a Dialogue`, () => {
    it('has recordings', () => {
      expect(transcripts).not.toEqual([])
    })

    describe.each(transcripts.map((transcript) => [transcript.name, transcript] as const))(
      'in the recording %s',
      (_, transcript) => {
        describeRecording(create, transcript, transcriptsDirectory)
        describeGarbage(create, transcript)
        describeOurSide(create, transcript)
      },
    )

    describeAnything(create, transcripts)
  })
}

function describeRecording(create: () => Dialogue, transcript: Transcript, directory: string): void {
  it('writes the recorded lines and reports the recorded events', async () => {
    const { events } = replay(create(), transcript)
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('')
    await expect(text).toMatchFileSnapshot(eventsFileOf(directory, transcript))
  })

  it('reports storable events and keeps its state small', () => {
    const { events, points } = replay(create(), transcript)
    events.forEach(expectStorable)
    for (const { state } of points) expect(JSON.stringify(state).length).toBeLessThan(STATE_LIMIT)
  })

  it('ends exactly one turn per message, and never before its message', () => {
    const { points } = replay(create(), transcript)
    for (const point of points) expect(point.ends).toBeLessThanOrEqual(point.messages)
    expect(points.at(-1)?.ends).toBe(points.at(-1)?.messages)
  })

  it('continues unchanged after its state was stored and read', () => {
    const stored = replay(create(), transcript, { store: (state) => JSON.parse(JSON.stringify(state)) })
    expect(stored.events).toEqual(replay(create(), transcript).events)
  })

  it('reports the same events, in whatever pieces the output arrives', () => {
    const { events } = replay(create(), transcript)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 8 }), (sizes) => {
        const lines = reassembled(printedIn(transcript), sizes)
        const again = withLines(transcript, lines)
        expect(replay(create(), again).events).toEqual(events)
      }),
      { numRuns: 20 },
    )
  })
}

function describeGarbage(create: () => Dialogue, transcript: Transcript): void {
  it('ignores garbage between the lines', () => {
    const { events } = replay(create(), transcript)
    const places = fc.array(fc.tuple(fc.nat(), garbageLine(printedIn(transcript))), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(places, (garbage) => {
        const dialogue = create()
        const again = replay(dialogue, transcript, {
          before: (index, state) =>
            index === 0 ? state : hearGarbage(dialogue, state, garbage, index, transcript),
        })
        expect(again.events).toEqual(events)
      }),
      { numRuns: 100 },
    )
  })
}

/** What we do at the wrong time or twice. */
function describeOurSide(create: () => Dialogue, transcript: Transcript): void {
  it('ignores an interrupt without a turn, and a decision without a request', () => {
    const dialogue = create()
    const { points } = replay(dialogue, transcript)
    for (const { state, messages, ends } of points) {
      const decided = dialogue.decide(frozen(state), 'no-such-request', { type: 'allow' })
      expect(decided).toMatchObject({ says: [], events: [] })
      if (messages === ends) expect(dialogue.interrupt(state)).toMatchObject({ says: [], events: [] })
    }
  })

  it('decides each request once', () => {
    const dialogue = create()
    const { points } = replay(dialogue, transcript)
    for (const { index, state } of points) {
      const entry = transcript.entries[index]
      if (entry?.dir !== 'do' || entry.type !== 'decide') continue
      const again = dialogue.decide(state, entry.requestId, { type: 'deny', reason: 'too late' })
      expect(again).toMatchObject({ says: [], events: [] })
    }
  })

  it('loses no message that is sent during a turn', () => {
    const dialogue = create()
    const { points } = replay(dialogue, transcript)
    const during = points.filter(({ messages, ends }) => messages > ends)
    for (const point of during) expect(wasSaidOrEnded(dialogue, transcript, point)).toBe(true)
  })
}

function describeAnything(create: () => Dialogue, transcripts: readonly Transcript[]): void {
  const realLines = transcripts.flatMap(printedIn)
  const states = transcripts.flatMap((transcript) =>
    replay(create(), transcript).points.map((point) => point.state),
  )
  const anyState: fc.Arbitrary<DialogueState> = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.constantFrom({}, ...states),
    fc
      .tuple(fc.constantFrom({}, ...states), fc.nat(), fc.jsonValue())
      .map(([state, place, value]) => asState(mutated(state, place, value))),
  )
  const line = fc.oneof(anyLine, fc.constantFrom('', ...realLines), mutatedLine(['{}', ...realLines]))

  it('never throws, even for random output and random stored states', () => {
    const dialogue = create()
    fc.assert(
      fc.property(anyState, fc.array(line, { maxLength: 4 }), fc.string(), (start, lines, text) => {
        let state = frozen(start)
        for (const printed of lines) {
          const spoken = dialogue.hear(state, printed)
          expect(dialogue.hear(state, printed)).toEqual(spoken)
          spoken.events.forEach(expectStorable)
          expectLines(spoken.says)
          state = frozen(spoken.state)
        }
        for (const spoken of [
          dialogue.say(state, text),
          dialogue.interrupt(state),
          dialogue.decide(state, text, { type: 'deny', reason: text }),
        ]) {
          spoken.events.forEach(expectStorable)
          expectLines(spoken.says)
        }
      }),
      { numRuns: 2_000 },
    )
    expectUnpolluted()
  })

  it.each(Object.keys(HOSTILE_LINES))('survives a line of %s', (kind) => {
    const dialogue = create()
    const started = performance.now()
    for (const state of [{}, dialogue.open(OPENING).state, ...states.slice(-1)]) {
      dialogue.hear(frozen(state), HOSTILE_LINES[kind] ?? '').events.forEach(expectStorable)
    }
    expect(performance.now() - started).toBeLessThan(SLOW_MS)
    expectUnpolluted()
  })

  it('opens with any prompt, model and conversation id', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 })
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.constantFrom('ask', 'bypass'),
        (prompt, model, resume, permissions) => {
          const spoken = create().open({ ...OPENING, prompt, model, resume, permissions })
          expect(spoken.says).not.toEqual([])
          expectLines(spoken.says)
          spoken.events.forEach(expectStorable)
        },
      ),
      { numRuns: 200 },
    )
  })
}

/** A line break inside a line would split a message in two. */
function expectLines(says: readonly string[]): void {
  for (const line of says) expect(line).not.toMatch(/[\r\n]/)
}

function asState(value: unknown): DialogueState {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { value }
}

function printedIn(transcript: Transcript): readonly string[] {
  return transcript.entries.flatMap((entry) => (entry.dir === 'out' ? [entry.line] : []))
}

/** The transcript with its printed lines replaced by `lines`. */
function withLines(transcript: Transcript, lines: readonly string[]): Transcript {
  const rest = [...lines]
  const entries = transcript.entries.map((entry): TranscriptEntry => {
    return entry.dir === 'out' ? { dir: 'out', line: rest.shift() ?? '' } : entry
  })
  expect(rest).toEqual([])
  return { ...transcript, entries }
}

/** Reads output in pieces of these sizes and cuts it into lines, as a daemon does. */
function reassembled(lines: readonly string[], sizes: readonly number[]): readonly string[] {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  const whole: string[] = []
  let offset = 0
  let available = 0
  for (let turn = 0; offset < bytes.length; turn += 1) {
    available = Math.min(bytes.length, available + (sizes[turn % sizes.length] ?? 1))
    const cut = cutLines(bytes.subarray(offset, available), { maxLineBytes: MAX_LINE_BYTES, atEnd: false })
    for (const line of cut.lines) {
      expect(line.truncated).toBe(false)
      whole.push(line.text)
    }
    offset += cut.consumed
  }
  return whole
}

function hearGarbage(
  dialogue: Dialogue,
  state: DialogueState,
  garbage: readonly (readonly [number, string])[],
  index: number,
  transcript: Transcript,
): DialogueState {
  let next = state
  for (const [place, line] of garbage) {
    if (place % transcript.entries.length !== index) continue
    const spoken = dialogue.hear(frozen(next), line)
    expect(spoken.says).toEqual([])
    for (const event of spoken.events) {
      expect(event.type).toBe('text')
      expectStorable(event)
    }
    next = spoken.state
  }
  return next
}

/**
 * Sends another message at this point and continues. It must be written by the end of the turn, or its turn must fail.
 */
function wasSaidOrEnded(dialogue: Dialogue, transcript: Transcript, point: ReplayPoint): boolean {
  const marker = 'another message, sent in between'
  const first = dialogue.say(frozen(point.state), marker)
  const said = [...first.says]
  const events = [...first.events]
  let state = first.state
  for (const entry of transcript.entries.slice(point.index + 1)) {
    if (said.some((line) => line.includes(marker)) || countEnds(events) > 1) return true
    const spoken = answerTo(dialogue, state, entry)
    said.push(...spoken.says)
    events.push(...spoken.events)
    state = spoken.state
  }
  return said.some((line) => line.includes(marker)) || countEnds(events) > 1
}
