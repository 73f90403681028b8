import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readFolder } from '../../adapters/playbooks/folder/read-folder.ts'
import { SHIPPED } from '../../adapters/playbooks/folder/testing/broken-playbook.ts'
import { failure, success } from '../result.ts'
import {
  applyChoices,
  namedPlaybooks,
  type Offers,
  type PlannedDraft,
  readChoice,
} from './playbook-choice.ts'

const draft = (choice?: PlannedDraft['choice']): PlannedDraft => ({
  ...{ description: 'do it', context: '', files: [], parallel: true, priority: 'P1' as const },
  ...{ successCriteria: [], dependsOn: [], clauses: [] },
  ...(choice === undefined ? {} : { choice }),
})
const HASH = 'a'.repeat(64)
type OfferResult = Offers extends ReadonlyMap<string, infer Value> ? Value : never
let offers: Offers

beforeAll(async () => {
  const read = await readFolder(path.join(SHIPPED, 'best-of'), path.join(SHIPPED, 'builtin'))
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  const { playbook } = read.value
  offers = new Map<string, OfferResult>([
    ['best-of', success({ hash: HASH, playbook, children: [{ name: 'c', hash: HASH }] })],
    ['mine', failure('which has faults: no stages')],
  ])
})

describe('a choice in an answer', () => {
  it('is a name, with the inputs that can be values', () => {
    const inputs = { n: 4, odd: ['x'], name: 'y' }
    expect(readChoice({ playbook: ' best-of ', inputs })).toEqual({
      name: 'best-of',
      inputs: { n: 4, name: 'y' },
    })
    for (const playbook of [undefined, null, '', 3, {}]) expect(readChoice({ playbook })).toBeUndefined()
  })

  it('is found before the answer is checked', () => {
    const tasks = [{ playbook: 'a' }, { playbook: 'a' }, 'nonsense', { playbook: 'b' }, {}]
    expect(namedPlaybooks({ tasks })).toEqual(['a', 'b'])
    for (const answer of [undefined, 'text', { tasks: 'none' }]) expect(namedPlaybooks(answer)).toEqual([])
  })
})

describe('a task', () => {
  it('follows the playbook that it names, with the defaults of the inputs it leaves out', () => {
    const { drafts, problems } = applyChoices([draft({ name: 'best-of', inputs: {} }), draft()], offers)
    expect(drafts[0]).toMatchObject({
      playbook: { name: 'best-of', hash: HASH, inputs: { n: 3 }, children: { c: HASH } },
    })
    expect(drafts[0]).not.toHaveProperty('choice')
    expect(drafts[1]).not.toHaveProperty('playbook')
    expect(problems).toEqual([])
  })

  it("keeps no playbook that can't be used, with the reason", () => {
    const choices = [
      { name: 'best-of', inputs: { n: 99 } },
      { name: 'mine', inputs: {} },
      { name: 'unread', inputs: {} },
    ]
    const { drafts, problems } = applyChoices(choices.map(draft), offers)
    expect(drafts.map(({ playbook }) => playbook)).toEqual([undefined, undefined, undefined])
    expect(problems).toEqual([
      expect.stringMatching(
        /^task 1 names the playbook "best-of", but its inputs can't be used: the input "n"/,
      ),
      'task 2 names the playbook "mine", which has faults: no stages',
      'task 3 names the playbook "unread", which does not exist',
    ])
  })
})
