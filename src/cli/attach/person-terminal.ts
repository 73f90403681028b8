import type { InputStream, OutputStream } from '../surroundings.ts'
import type { ScreenSize } from './terminal-link.ts'

type RawInput = InputStream & { setRawMode?(isRaw: boolean): unknown }
type SizedOutput = OutputStream & { readonly rows?: number | undefined }

type Needs = { readonly stdin: RawInput; readonly stdout: SizedOutput }

const ESCAPE = '\u001b'
const BELL = '\u0007'
const ENTER_SCREEN = `${ESCAPE}[?1049h${ESCAPE}[H${ESCAPE}[2J`
/** Turns off what a program may have turned on: mouse, focus and paste reports, keypad and cursor modes. */
const MODES_OFF = ['1000', '1002', '1003', '1006', '1004', '2004', '1'].map((mode) => `${ESCAPE}[?${mode}l`)
const LEAVE_SCREEN = `${MODES_OFF.join('')}${ESCAPE}>${ESCAPE}[?25h${ESCAPE}[0m${ESCAPE}[?1049l`

export function sizeOf({ stdout }: Pick<Needs, 'stdout'>): ScreenSize | undefined {
  const { columns, rows } = stdout
  return columns === undefined || rows === undefined ? undefined : { columns, rows }
}

/**
 * Gives the person's terminal to a session, in raw mode and on the alternate screen. Disposing it, or any exit of the
 * process, restores the terminal.
 */
export function holdPersonTerminal(needs: Needs, title: string): Disposable {
  let isHeld = true
  const giveBack = () => {
    if (!isHeld) return
    isHeld = false
    process.off('exit', giveBack)
    needs.stdin.setRawMode?.(false)
    needs.stdin.pause()
    needs.stdout.write(LEAVE_SCREEN)
  }
  process.on('exit', giveBack)
  needs.stdin.setRawMode?.(true)
  needs.stdout.write(`${ENTER_SCREEN}${ESCAPE}]0;${title}${BELL}`)
  return { [Symbol.dispose]: giveBack }
}
