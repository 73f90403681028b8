import { describe, expect, it } from 'vitest'
import { commandProblem } from './command-problem.ts'
import { commandsIn, mentionsIn } from './documented-commands.ts'
import { nameOf, withIds } from './placeholders.ts'

const GUIDE = [
  '# Guide',
  '`muster status` shows jobs, `muster stauts` does not.',
  '```sh',
  'cd project',
  'token=$(cat token)      # yours',
  'muster show job_0mw     # a job',
  '',
  'curl -d \'{"a":1}\' \\',
  '  "$url/api"',
  '```',
  '```text',
  'next: muster diff job_0mwihyqs4qimwihwsr3w',
  '```',
  '```console',
  '$ muster list sessions',
  'SESSION   AGENT',
  '```',
].join('\n')

describe('the commands of a document', () => {
  it('are found with their line and with what they build on', () => {
    const prelude = ['cd project', 'token=$(cat token)']
    expect(commandsIn('guide.md', GUIDE)).toEqual([
      { place: 'guide.md:6', text: 'muster show job_0mw', prelude },
      { place: 'guide.md:8', text: 'curl -d \'{"a":1}\' \\\n  "$url/api"', prelude },
      { place: 'guide.md:15', text: 'muster list sessions', prelude: [] },
    ])
    expect(mentionsIn('guide.md', GUIDE).map(({ place, text }) => `${place} ${text}`)).toEqual([
      'guide.md:2 muster status',
      'guide.md:2 muster stauts',
      'guide.md:12 muster diff job_0mwihyqs4qimwihwsr3w',
    ])
  })

  it('keep their name if an ID or a text changes, but not if a flag does', () => {
    const name = 'muster ask SES TEXT --job JOB'
    expect(nameOf('muster ask ses_0mw "why?" --job job_...')).toBe(name)
    expect(nameOf("muster ask ses_zz 'and how?' --job <job>")).toBe(name)
    expect(nameOf('muster ask ses_0mw "why?" --jobs job_...')).not.toBe(name)
    expect(nameOf('muster show t1-2')).toBe(nameOf('muster show <task>'))
  })

  it('run with the IDs of real records', () => {
    expect(withIds('git log muster/job_...', { JOB: 'job_1' })).toBe('git log muster/job_1')
    expect(() => withIds('muster show ses_0mw', { JOB: 'job_1' })).toThrow('SES')
  })
})

describe('a command in a sentence', () => {
  it.each(['muster agent ...', 'muster diff <task>', 'muster serve --port N', 'muster send SES "..."'])(
    'may leave something open: %s',
    (text) => expect(commandProblem(text)).toBeUndefined(),
  )

  it.each(['muster stauts', 'muster run "x" --no-such-flag', 'muster session begin'])(
    'must exist: %s',
    (text) => expect(commandProblem(text)).toMatch(/unknown/),
  )
})
