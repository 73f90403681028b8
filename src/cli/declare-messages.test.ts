import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { declareAgent, declareMessages } from './declare-messages.ts'

async function started(...words: readonly string[]): Promise<readonly string[]> {
  const names: string[] = []
  const root = new Command('muster').exitOverride().configureOutput({ writeErr: () => undefined })
  const start = async (command: Command) => {
    names.push(`${command.name()} ${JSON.stringify(command.opts())} ${command.args.join('|')}`.trim())
  }
  const declare = (name: string) => root.command(name)
  declareMessages(declare, start)
  declareAgent(declare, start)
  await root.parseAsync([...words], { from: 'user' })
  return names
}

describe('the message commands', () => {
  it.each<readonly [string, readonly string[]]>([
    [
      'inbox {"ack":["msg_1","msg_2"],"wait":30}',
      ['agent', 'inbox', '--ack', 'msg_1', 'msg_2', '--wait', '30'],
    ],
    [
      'send {"subject":"now"} role:worker|come here',
      ['agent', 'send', 'role:worker', 'come here', '--subject', 'now'],
    ],
    ['ask {"to":"predecessor"} why?', ['agent', 'ask', 'why?', '--to', 'predecessor']],
    ['progress {"percent":50} half', ['agent', 'progress', 'half', '--percent', '50']],
    ['complete {"key":"k"} all', ['agent', 'complete', 'all', '--key', 'k']],
    ['handoff {"next":"rest"} half', ['agent', 'handoff', 'half', '--next', 'rest']],
    ['skill {} planting', ['agent', 'skill', 'planting']],
    ['messages {"questions":true} person', ['messages', 'person', '--questions']],
    ['answer {} msg_1|blue', ['answer', 'msg_1', 'blue']],
    ['answer {} blue', ['answer', 'blue']],
  ])('parse %s', async (expected, words) => {
    expect(await started(...words)).toEqual([expected])
  })

  it('refuse to wait longer than 45 seconds', async () => {
    await expect(started('agent', 'inbox', '--wait', '46')).rejects.toThrow()
    await expect(started('agent', 'nothing')).rejects.toThrow()
  })
})
