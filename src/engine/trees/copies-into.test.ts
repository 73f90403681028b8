import { describe, expect, it } from 'vitest'
import { copiesInto } from './copies-into.ts'

describe('what a tree is asked to hold copies of', () => {
  it('is named with the checkout it comes from', () => {
    expect(copiesInto('/project', ['.env'])).toEqual({ copies: { from: '/project', paths: ['.env'] } })
  })

  it('is nothing where nothing is named', () => {
    expect(copiesInto('/project', [])).toEqual({})
    expect(copiesInto('/project', undefined)).toEqual({})
  })
})
