// Shows a component with the data of a reply, as soon as its code is there; this comes with every reply, so it is short.
export default async (component) => (await codeOf(component.name).promise)(component);
