import { parseId } from '../../../../domain/id.ts'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import type { Pin, PinOwner } from '../../../../ports/pins.ts'
import { gitText } from '../process/git-answer.ts'
import { setHubRefs } from './change-refs.ts'
import { type HubNeeds, isHub } from './hub-repository.ts'
import { listRefusals, type Refusal, refusalOf } from './refusals.ts'

const PINS = 'refs/muster/attempts/'

export function pinOf(id: PinOwner): string {
  return `${PINS}${id}`
}

/** Ids begin with the time, so the newest have the greatest ones. Attempts and sessions are compared without prefix. */
export async function listPins(needs: HubNeeds, hub: string): Promise<Result<readonly Pin[], GitFailure>> {
  if (!(await isHub(hub))) return success([])
  const listed = await gitText(needs.git, {
    directory: hub,
    arguments: ['for-each-ref', '--format=%(objectname) %(refname)', PINS],
  })
  if (!listed.ok) return listed
  const refusals = await listRefusals(needs, hub)
  if (!refusals.ok) return refusals
  const pins = listed.value
    .split('\n')
    .flatMap(pinIn)
    .map((pin) => withRefusal(pin, refusals.value))
  return success(pins.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1)))
}

export async function removePins(
  needs: HubNeeds,
  hub: string,
  ids: readonly PinOwner[],
): Promise<Result<void, GitFailure>> {
  return await deleteRefs(
    needs,
    hub,
    ids.flatMap((id) => [pinOf(id), refusalOf(id)]),
  )
}

/** Deletes refs of a hub, whatever they point to. */
export async function deleteRefs(
  needs: HubNeeds,
  hub: string,
  refs: readonly string[],
): Promise<Result<void, GitFailure>> {
  if (refs.length === 0 || !(await isHub(hub))) return success(undefined)
  return await setHubRefs(
    needs,
    hub,
    refs.map((ref) => ({ type: 'delete', ref })),
  )
}

function pinIn(line: string): readonly Pin[] {
  const [commit = '', ref = ''] = line.split(' ')
  const name = ref.slice(PINS.length)
  const id = parseId('attempt', name) ?? parseId('session', name)
  return id === undefined ? [] : [{ id, commit }]
}

function timeOf({ id }: Pin): string {
  return id.slice(id.indexOf('_') + 1)
}

function withRefusal(pin: Pin, refusals: ReadonlyMap<string, Refusal>): Pin {
  const refusal = refusals.get(refusalOf(pin.id))
  return refusal?.commit === pin.commit ? { ...pin, refusal: refusal.reason } : pin
}
