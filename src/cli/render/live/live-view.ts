import { setTimeout as pause } from 'node:timers/promises'
import type { Progress } from '../../follow/progress.ts'
import type { OutputStream } from '../../surroundings.ts'
import type { Paint } from '../text/paint.ts'
import { footerLines } from './footer-lines.ts'

/** Lines that scroll away above a foot that stays. Disposing leaves the terminal as it was, cursor included. */
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
// A terminal that has gone away does not say that it is done.
const EXIT_LIMIT_MS = 1000

export async function openLiveView(needs: Needs, first: Progress): Promise<LiveView> {
  const [{ render, Text, useStdout }, { createElement }] = await Promise.all([import('ink'), import('react')])
  let progress: Progress | undefined = first
  let write: (text: string) => void = (text) => needs.stdout.write(text)

  function Foot() {
    write = useStdout().write
    if (progress === undefined) return null
    const width = (needs.stdout.columns ?? DEFAULT_WIDTH) - 1
    const lines = footerLines(progress, needs.now().getTime(), width, needs.paint, needs.hint)
    return createElement(Text, {}, lines.join('\n'))
  }

  const instance = render(createElement(Foot), {
    stdout: needs.stdout as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
  })
  const refresh = () => instance.rerender(createElement(Foot))
  const timer = setInterval(refresh, TICK_MS)
  return {
    print: (line) => write(`${line}\n`),
    show: (next) => {
      progress = next
      refresh()
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      // Ink draws once more when it is unmounted; then there must be nothing to draw.
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
