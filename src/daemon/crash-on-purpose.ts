import { CRASH_POINTS, type CrashPoint, type CrashPoints } from '../ports/crash-points.ts'

/** Kills this process at the n-th pass of the point named in MUSTER_CRASH_AT (`name:n`), for tests of recovery. */
export function createCrashPoints(setting: string | undefined): CrashPoints {
  const [name, count = '1'] = setting?.split(':') ?? []
  const point = CRASH_POINTS.find((candidate) => candidate === name)
  if (point === undefined) return { reach: () => undefined }
  let left = Number(count)
  return {
    reach(reached: CrashPoint) {
      if (reached !== point) return
      left -= 1
      if (left === 0) process.kill(process.pid, 'SIGKILL')
    },
  }
}
