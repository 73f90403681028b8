import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openDesktopNotices } from './desktop-notices.ts'
import type { PersonWait } from './person-waits.ts'

const wait = (id: string, words: string): PersonWait => ({ type: 'question', id, from: 'ses_1', words })
const [first, second] = [wait('msg_1', 't1-1 asks: which one?'), wait('msg_2', 't1-2 asks: why?')]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('sends one notice for everything that is new', () => {
  const sent: string[] = []
  using notices = openDesktopNotices((text) => sent.push(text))
  notices.show([first])
  notices.show([first, second])
  vi.advanceTimersByTime(1_000)
  expect(sent).toEqual(['t1-1 asks: which one? (and 1 other request)'])
  notices.show([second])
  vi.advanceTimersByTime(1_000)
  expect(sent).toHaveLength(1)
})

it('sends none for what is answered at once, as the old requests in a stream are', () => {
  const sent: string[] = []
  using notices = openDesktopNotices((text) => sent.push(text))
  notices.show([first])
  notices.show([])
  vi.advanceTimersByTime(1_000)
  expect(sent).toEqual([])
})

it('shortens the words of agents and removes what controls a terminal', () => {
  const sent: string[] = []
  using notices = openDesktopNotices((text) => sent.push(text))
  notices.show([wait('msg_1', `${'\u001b]0;x\u0007'}${'long '.repeat(200)}`)])
  vi.advanceTimersByTime(1_000)
  expect(sent[0]?.length).toBeLessThanOrEqual(160)
  expect(sent[0]).not.toContain('\u001b')
})
