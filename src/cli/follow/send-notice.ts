import { execFile } from 'node:child_process'
import type { CommandNeeds } from '../command-needs.ts'

const ESCAPE = '\u001b'
const END = `${ESCAPE}\\`
const TITLE = 'Muster'
const TIMEOUT_MS = 5_000

type Needs = Pick<CommandNeeds, 'output' | 'surroundings'>

/** A program that shows a notice, with the text as one argument and never as part of a script. */
type Notifier = readonly [program: string, ...words: readonly string[]]

/**
 * Returns what shows a notice to the person: the desktop's program or, without one and over SSH, the terminal. If
 * neither can, `warn` is called once.
 */
export function createNoticeSender(
  { output, surroundings }: Needs,
  warn: (line: string) => void,
  platform: NodeJS.Platform = process.platform,
): (text: string) => void {
  const { environment, stdout } = surroundings
  let isBroken = environment['SSH_CONNECTION'] !== undefined
  const inTerminal = (text: string) => {
    if (output.isTerminal) stdout.write(terminalNotice(text, environment))
  }
  return (text) => {
    if (isBroken) return inTerminal(text)
    const [program, ...words] = notifierFor(platform, text)
    execFile(program, words, { env: environment, timeout: TIMEOUT_MS }, (error) => {
      if (error === null) return
      if (!isBroken) warn(warning(program, error, output.isTerminal))
      isBroken = true
      inTerminal(text)
    })
  }
}

function notifierFor(platform: NodeJS.Platform, text: string): Notifier {
  if (platform === 'darwin') {
    const script = ['on run argv', `display notification (item 1 of argv) with title "${TITLE}"`, 'end run']
    return ['osascript', ...script.flatMap((line) => ['-e', line]), withoutDash(text)]
  }
  // Some desktops read the text as markup.
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return ['notify-send', `--app-name=${TITLE}`, '--', TITLE, escaped]
}

/** A text that starts with a dash would be read as an option. */
function withoutDash(text: string): string {
  return text.replace(/^-+/, '')
}

/** Most terminals that show notices know OSC 9; rxvt and foot know OSC 777. tmux has to be told to pass it on. */
function terminalNotice(text: string, environment: Readonly<Record<string, string | undefined>>): string {
  const { TERM = '', TMUX } = environment
  // A semicolon separates fields.
  const plain = text.replaceAll(';', ',')
  const sequence = /^(rxvt|foot)/.test(TERM)
    ? `${ESCAPE}]777;notify;${TITLE};${plain}${END}`
    : `${ESCAPE}]9;${TITLE}: ${plain}${END}`
  return TMUX === undefined
    ? sequence
    : `${ESCAPE}Ptmux;${sequence.replaceAll(ESCAPE, ESCAPE + ESCAPE)}${END}`
}

function warning(program: string, error: Error, isTerminal: boolean): string {
  const isAbsent = 'code' in error && error.code === 'ENOENT'
  const why = isAbsent ? `${program} is not installed` : `${program} failed`
  return isTerminal
    ? `${why}; your terminal shows notifications if it can`
    : `no desktop notifications: ${why}`
}
