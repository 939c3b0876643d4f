/**
 * A place for values: a node, or an attribute of it. Its text is one name, or pieces of which every second is a name.
 *
 * @typedef {{node: number, attribute?: string, name: string | null, pieces: string[]}} Slot
 */

/**
 * The way to a node of a copy from a node that is already found: a number of siblings further on, counted from its
 * first child or from the node itself.
 *
 * @typedef {{from: number, isChild: boolean, hops: number}} Way
 */

/**
 * Markup of the server with names in braces in place of values: `<a href="/messages/{chat}">{name}</a>`. A part that is
 * left out or repeated, depending on the values, is a template in the template: `<template data-part="photo">`.
 *
 * The template is read once. To fill it, the markup is copied, and only the nodes that get values are looked for in the
 * copy. The copy stays in the template's own document, where neither symbols nor pictures are loaded, until it is put
 * into a page.
 */
export class Template {
  /**
   * The markup that is copied, without the parts and the attributes that have names in them: one element if possible.
   */
  #content;
  /** @type {Way[]} to each node that gets something, in order; the first node is the copy itself */
  #ways = [];
  /** @type {Slot[]} */
  #attributes = [];
  /** @type {Slot[]} */
  #texts = [];
  /** @type {{name: string, template: Template, parent: number, next: number | null}[]} */
  #parts = [];
  /** Every name in the template and in its parts. */
  #names;

  /** @param {HTMLTemplateElement} template */
  constructor(template) {
    const content = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    const nested = [...content.querySelectorAll("template")];
    const places = nested.map((part) => ({ part, parent: part.parentNode, next: nextOf(part) }));
    for (const part of nested) part.remove();
    const isOne = content.childNodes.length === 1 && places.every(({ parent }) => parent !== content);
    this.#content = (isOne && content.firstElementChild) || content;
    const slots = slotsOf(this.#content);
    const wanted = new Set([...slots.map(({ at }) => at), ...places.flatMap(({ parent, next }) => [parent, next ?? parent])]);
    const nodes = [this.#content];
    this.#findWays(this.#content, wanted, nodes);
    for (const { at, attribute, text } of slots) {
      const slot = { node: nodes.indexOf(at), attribute, ...read(text) };
      (attribute ? this.#attributes : this.#texts).push(slot);
      if (attribute) at.removeAttribute(attribute);
    }
    for (const { part, parent, next } of places) {
      const place = { parent: nodes.indexOf(parent), next: next && nodes.indexOf(next) };
      this.#parts.push({ name: part.dataset.part, template: new Template(part), ...place });
    }
    const own = slots.flatMap(({ text }) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    this.#names = [...new Set([...own, ...this.#parts.flatMap(({ name, template }) => [name, ...template.#names])])];
  }

  /**
   * Notes the ways to the wanted nodes below a parent, and to the nodes on the way to them.
   *
   * @param {Node} parent
   * @param {Set<Node>} wanted
   * @param {Node[]} nodes those with a way, the last of which is the parent
   */
  #findWays(parent, wanted, nodes) {
    let way = { from: nodes.length - 1, isChild: true, hops: 0 };
    for (let node = parent.firstChild; node; node = node.nextSibling, way.hops += 1) {
      if (![...wanted].some((one) => node.contains(one))) continue;
      this.#ways.push(way);
      nodes.push(node);
      way = { from: nodes.length - 1, isChild: false, hops: 0 };
      this.#findWays(node, wanted, nodes);
    }
  }

  /**
   * Finds a template by its name.
   *
   * @param {ParentNode} place
   * @param {string} name
   */
  static in(place, name) {
    return new Template(place.querySelector(`template[data-template="${name}"]`));
  }

  /** The names of the parts. */
  get names() {
    return this.#parts.map(({ name }) => name);
  }

  /** @param {string} name @returns {Template} a part, to draw it alone */
  part(name) {
    return this.#parts.find((part) => part.name === name).template;
  }

  /**
   * Fills the template with values.
   *
   * A text that is one name may have a node as its value. An attribute that is one name is set without a value by
   * `true`, and left out by `false`, `null` and `undefined`. A part is left out when the value of its name is empty,
   * and repeated for each value of a list. An object has the part's own values.
   *
   * @param {Record<string, any>} values
   * @returns {any} its element, or a fragment where it isn't one
   */
  fill(values) {
    const copy = this.#content.cloneNode(true);
    /** @type {any[]} */
    const nodes = [copy];
    for (const { from, isChild, hops } of this.#ways) {
      let node = isChild ? nodes[from].firstChild : nodes[from];
      for (let hop = 0; hop < hops; hop += 1) node = node.nextSibling;
      nodes.push(node);
    }
    for (const slot of this.#attributes) {
      const value = valueOf(slot, values);
      if (value === true) nodes[slot.node].setAttribute(slot.attribute, "");
      else if (value !== false && value !== null && value !== undefined) {
        nodes[slot.node].setAttribute(slot.attribute, value);
      }
    }
    for (const { name, template, parent, next } of this.#parts) {
      const value = values[name];
      if (!value) continue;
      for (const own of Array.isArray(value) ? value : [value]) {
        const drawn = template.fill(typeof own === "object" ? template.#completed(own, values) : values);
        nodes[parent].insertBefore(drawn, next && nodes[next]);
      }
    }
    for (const slot of this.#texts) {
      const { node } = slot;
      const value = valueOf(slot, values);
      if (value instanceof Node) nodes[node].replaceWith(value);
      else if (value) nodes[node].data = value;
      else nodes[node].remove();
    }
    return copy;
  }

  /** Returns the values of a part, and for names that it has none of, those of the template around it. */
  #completed(own, values) {
    for (const name of this.#names) if (!(name in own)) return { ...values, ...own };
    return own;
  }
}

/** Returns the node before which a part is drawn, if there is one. Another part may be drawn there too. */
function nextOf(part) {
  let next = part.nextSibling;
  while (next instanceof HTMLTemplateElement) next = next.nextSibling;
  return next;
}

/** Returns every text and attribute with names in it, with its node. */
function slotsOf(root, slots = []) {
  if (root.data?.includes("{")) slots.push({ at: root, text: root.data });
  for (const { name, value } of root.attributes ?? []) {
    if (value.includes("{")) slots.push({ at: root, attribute: name, text: value });
  }
  for (const node of root.childNodes) slotsOf(node, slots);
  return slots;
}

function read(text) {
  const pieces = text.split(/\{(\w+)\}/);
  return { pieces, name: pieces.length === 3 && !pieces[0] && !pieces[2] ? pieces[1] : null };
}

/** Returns the value of a text that is one name, or the whole text. */
function valueOf({ name, pieces }, values) {
  if (name !== null) return values[name];
  let text = pieces[0];
  for (let index = 1; index < pieces.length; index += 2) text += (values[pieces[index]] ?? "") + pieces[index + 1];
  return text;
}
