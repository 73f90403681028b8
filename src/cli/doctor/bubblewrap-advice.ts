import { findProgram } from '../init/find-program.ts'

/** What a person notices first without bubblewrap. */
export const EVERY_COMMAND_ASKS =
  'without bubblewrap, every shell command of an agent waits for your approval (`permissions: auto`), except that programs of your own (`provider: command`) never ask'

export const ALLOW_NAMESPACES = 'allow user namespaces on this machine'

const INSTALLERS = [
  ['apt-get', 'sudo apt-get install bubblewrap'],
  ['dnf', 'sudo dnf install bubblewrap'],
  ['pacman', 'sudo pacman -S bubblewrap'],
  ['zypper', 'sudo zypper install bubblewrap'],
  ['apk', 'sudo apk add bubblewrap'],
] as const

/** What gives agents the bubblewrap sandbox here: usually the command that installs it. It exists only for Linux. */
export async function bubblewrapAdvice(searchPath: string, platform: string): Promise<string> {
  if (platform !== 'linux') return 'bubblewrap exists only on Linux; use a Linux machine or container'
  if ((await findProgram('bwrap', searchPath)) !== undefined)
    return `${ALLOW_NAMESPACES}, which bubblewrap needs`
  for (const [program, command] of INSTALLERS) {
    if ((await findProgram(program, searchPath)) !== undefined) return command
  }
  return "install bubblewrap (bwrap) with your system's package manager"
}
