import { taskName } from '../task/task-name.ts'

const NAMED = 5

type Denials = {
  readonly denied: readonly string[]
  readonly tasks: readonly { readonly id: string; readonly cycleNumber: number; readonly number: number }[]
}

/** The denied tasks: "t1-2, which you denied"; undefined if nothing was denied. `who` says who reads it. */
export function deniedWords({ denied, tasks }: Denials, who: 'you' | 'others'): string | undefined {
  if (denied.length === 0) return undefined
  const names = denied.slice(0, NAMED).map((id) => {
    const task = tasks.find((candidate) => candidate.id === id)
    return task === undefined ? id : taskName(task)
  })
  const more = denied.length - names.length
  const [last = '', ...others] = [...names, ...(more > 0 ? [`${more} more`] : [])].reverse()
  const listed = others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`
  const [was, were] = who === 'you' ? ['you denied', 'you denied'] : ['was denied', 'were denied']
  return `${listed}, which ${denied.length === 1 ? was : were}`
}
