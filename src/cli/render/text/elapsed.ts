/** A duration for people: 4s, 2m05s, 1h07m. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m${pad(seconds % 60)}s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours}h${pad(minutes % 60)}m`
  return `${Math.floor(hours / 24)}d${pad(hours % 24)}h`
}

/** The local time of day. */
export function clockTime(moment: Date): string {
  return `${pad(moment.getHours())}:${pad(moment.getMinutes())}:${pad(moment.getSeconds())}`
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

/** A moment for people: 14:05 if it is today, otherwise with the date. */
export function momentWords(moment: Date, now: Date): string {
  const time = `${pad(moment.getHours())}:${pad(moment.getMinutes())}`
  if (moment.toDateString() === now.toDateString()) return time
  return `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())} ${time}`
}

export function momentOrNothing(instant: string | undefined, now: Date): string | undefined {
  return instant === undefined ? undefined : momentWords(new Date(instant), now)
}
