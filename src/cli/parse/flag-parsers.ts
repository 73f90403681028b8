import { InvalidArgumentError } from 'commander'
import { parseDuration, parseDurationMinutes } from './duration.ts'

/** Parses a whole number from `least` to `limit`, or throws commander's error. */
export function countFlag(limit: number, least = 1): (text: string) => number {
  return (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
    if (count < least || count > limit)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${limit}.`)
    return count
  }
}

/** Parses an amount of money: digits, with or without cents and a dollar sign. */
export function dollarsFlag(text: string): number {
  const amount = /^\$?(\d{1,7}(?:\.\d{1,6})?)$/.exec(text.trim())?.[1]
  const dollars = amount === undefined ? 0 : Number(amount)
  if (dollars <= 0 || dollars > 1_000_000)
    throw new InvalidArgumentError('It must be an amount in dollars such as 5 or 2.50.')
  return dollars
}

/** Parses a duration into whole minutes. */
export function durationFlag(text: string): number {
  return requireDuration(parseDurationMinutes(text))
}

/** Parses a duration into minutes, to the second. */
export function exactDurationFlag(text: string): number {
  return requireDuration(parseDuration(text))
}

function requireDuration(minutes: number | undefined): number {
  if (minutes === undefined)
    throw new InvalidArgumentError('It must be a duration such as 90m, 1h30m or 90d.')
  return minutes
}

export function urlFlag(text: string): string {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (!isWeb) throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:7420.')
  return text
}

/** Rejects an empty path, because an empty variable in a script must not mean the current directory. */
export function pathFlag(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return text
}

/** Collects a flag that may be given several times. */
export function repeatedFlag(text: string, earlier: readonly string[] | undefined): readonly string[] {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return [...(earlier ?? []), text]
}

/** The agents that a person names for the roles of a playbook: one for every role, or one for each. */
export type AgentsFlag = { readonly agent?: string; readonly agents: Readonly<Record<string, string>> }

/** `name` or `role=name`, any number of times. */
export function agentsFlag(text: string, earlier: AgentsFlag = { agents: {} }): AgentsFlag {
  if (text.includes('=')) return { ...earlier, agents: inputFlag(text, earlier.agents) }
  if (earlier.agent !== undefined) {
    throw new InvalidArgumentError('Only one agent can take every role. Write role=name for the others.')
  }
  return { ...earlier, agent: text }
}

/** `name=value`, any number of times. */
export function inputFlag(
  text: string,
  earlier: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [name = '', ...rest] = text.split('=')
  if (name === '' || rest.length === 0) throw new InvalidArgumentError('Write it as name=value.')
  // The daemon's parser drops this name without a word.
  if (name === '__proto__') throw new InvalidArgumentError(`There is no ${name}.`)
  return { ...earlier, [name]: rest.join('=') }
}
