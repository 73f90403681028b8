import { readFile } from 'node:fs/promises'

/**
 * Whether the process that wrote a registration still has its PID. The PID may belong to another program by now, and
 * another program on the old port must not get the token.
 */
export async function isSameProcess(pid: number, startTime: string | undefined): Promise<boolean> {
  if (!isAlive(pid)) return false
  const facts = await kernelFacts(pid)
  // Without facts there is no /proc, and the health check decides; or the process was reaped just now.
  if (facts === undefined) return isAlive(pid)
  // A dead process stays until its parent reaps it, which may never happen.
  if (facts.state === 'Z' || facts.state === 'X') return false
  return startTime === undefined || !TICKS.test(startTime) || startTime === facts.startTime
}

/** Whether it is certain that the process is the one that wrote a registration, so that it may be sent a signal. */
export async function isProvenProcess(pid: number, startTime: string | undefined): Promise<boolean> {
  if (startTime === undefined || !TICKS.test(startTime)) return false
  return startTime === (await kernelFacts(pid))?.startTime
}

const TICKS = /^\d{1,12}$/

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Without permission to signal the process, it still exists.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The process's state, and its start time in ticks since boot; undefined if the kernel doesn't report them. */
async function kernelFacts(
  pid: number,
): Promise<{ readonly state: string | undefined; readonly startTime: string | undefined } | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in brackets and may contain brackets and spaces itself.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], startTime: fields[19] }
  } catch {
    return undefined
  }
}
