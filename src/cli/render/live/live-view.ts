import { setTimeout as pause } from 'node:timers/promises'
import type { Progress } from '../../follow/progress.ts'
import type { OutputStream } from '../../surroundings.ts'
import type { Paint } from '../text/paint.ts'
import { eraseOverflow } from './erase-overflow.ts'
import { footerLines } from './footer-lines.ts'

/** Prints lines above a footer that stays in place. Disposing it removes the footer and restores the cursor. */
export interface LiveView extends AsyncDisposable {
  print(line: string): void
  show(progress: Progress): void
}

type Needs = {
  readonly stdout: OutputStream
  readonly paint: Paint
  readonly now: () => Date
  /** What Ctrl-C does here. */
  readonly hint: string
}

const TICK_MS = 1000
const DEFAULT_WIDTH = 100
// A terminal that is gone never confirms a write.
const EXIT_LIMIT_MS = 1000

export async function openLiveView(needs: Needs, first: Progress): Promise<LiveView> {
  const [{ render, Text, useStdout }, { createElement }] = await Promise.all([import('ink'), import('react')])
  let progress: Progress | undefined = first
  let drawn: readonly string[] = []
  let write: (text: string) => void = (text) => needs.stdout.write(text)

  function Footer() {
    write = useStdout().write
    drawn = []
    if (progress === undefined) return null
    const width = (needs.stdout.columns ?? DEFAULT_WIDTH) - 1
    const size = { width, rows: needs.stdout.rows }
    const lines = footerLines(progress, needs.now().getTime(), size, needs.paint, needs.hint)
    drawn = lines
    return createElement(Text, {}, lines.join('\n'))
  }

  const instance = render(createElement(Footer), {
    stdout: needs.stdout as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
  })
  // Before Ink's own listener, which erases one row for each line and draws again.
  const makeRoom = () => needs.stdout.write(eraseOverflow(drawn, needs.stdout.columns ?? DEFAULT_WIDTH))
  needs.stdout.prependListener('resize', makeRoom)
  const refresh = () => instance.rerender(createElement(Footer))
  const timer = setInterval(refresh, TICK_MS)
  return {
    print: (line) => write(`${line}\n`),
    show: (next) => {
      progress = next
      refresh()
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      needs.stdout.off('resize', makeRoom)
      // Ink draws once more when it is unmounted, so there must be nothing left to draw.
      progress = undefined
      refresh()
      await withinLimit(instance.waitUntilRenderFlush())
      instance.clear()
      instance.unmount()
      await withinLimit(instance.waitUntilExit())
    },
  }
}

async function withinLimit(work: Promise<unknown>): Promise<void> {
  await Promise.race([work, pause(EXIT_LIMIT_MS, undefined, { ref: false })])
}
