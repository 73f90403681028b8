import { counted } from '../render/text/counted.ts'
import { safeLine } from '../render/text/safe-text.ts'
import type { PersonWait } from './person-waits.ts'

/** Requests that are answered sooner, and old ones that a stream repeats, need no notice. */
const SETTLE_MS = 500
/** Notices are small, and their texts come from agents. */
const TEXT_LIMIT = 160

/** Tells a person at another window that something waits. */
export interface DesktopNotices extends Disposable {
  show(waits: readonly PersonWait[]): void
}

/** Sends one notice for everything that is new, as soon as nothing has changed for a moment. */
export function openDesktopNotices(send: (text: string) => void): DesktopNotices {
  const noticed = new Set<string>()
  let current: readonly PersonWait[] = []
  let timer: NodeJS.Timeout | undefined
  const notify = () => {
    const fresh = current.filter(({ id }) => !noticed.has(id))
    for (const { id } of fresh) noticed.add(id)
    if (fresh.length > 0) send(noticeText(fresh))
  }
  return {
    show: (waits) => {
      current = waits
      clearTimeout(timer)
      timer = setTimeout(notify, SETTLE_MS)
      timer.unref()
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

function noticeText([first, ...others]: readonly PersonWait[]): string {
  const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'other request')})`
  return `${safeLine(first?.words ?? '', TEXT_LIMIT)}${more}`
}
