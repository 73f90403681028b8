import { readFile } from 'node:fs/promises'

const TICKS_A_SECOND = 100

/** The processor time that a process has used, in seconds. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}

export type Memory = { readonly residentMb: number; readonly peakMb: number }

/** The current and the highest memory use of a process. */
export async function memoryOf(pid: number): Promise<Memory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024)
  return { residentMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') }
}
