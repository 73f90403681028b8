import type { Page as WirePage } from '../../contract/envelope.ts'
import type { Page } from '../../engine/queries/page.ts'

/** Renders every item of a page. */
export function pageToWire<Item, Wire>(render: (item: Item) => Wire) {
  return (page: Page<Item>): WirePage<Wire> => ({ ...page, items: page.items.map(render) })
}
