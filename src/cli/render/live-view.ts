import type { Progress } from '../follow/progress.ts'
import type { OutputStream } from '../surroundings.ts'
import { footerLines } from './footer-lines.ts'
import type { Paint } from './paint.ts'

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

export async function openLiveView(needs: Needs, first: Progress): Promise<LiveView> {
  const [{ render, Text, useStdout }, { createElement }] = await Promise.all([import('ink'), import('react')])
  let progress = first
  let write: (text: string) => void = (text) => needs.stdout.write(text)

  function Foot() {
    write = useStdout().write
    const width = (needs.stdout.columns ?? DEFAULT_WIDTH) - 1
    return createElement(
      Text,
      {},
      footerLines(progress, needs.now().getTime(), width, needs.paint, needs.hint).join('\n'),
    )
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
      instance.clear()
      instance.unmount()
      await instance.waitUntilExit()
    },
  }
}
