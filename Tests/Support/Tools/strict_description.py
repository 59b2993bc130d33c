"""Which schemas of the description are of answers, and the description as the service of this version keeps it.

Answers are open: clients must accept further fields, events and words. That the service sends none by mistake is tested with
the strict description.
"""
import json
import re


def requested(document):
    """The names of the schemas that requests have."""
    def names(value):
        return set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(value)))

    schemas = document["components"]["schemas"]
    found = names([[operation.get("requestBody"), operation.get("parameters")]
                   for path in document["paths"].values() for operation in path.values()])
    while more := set().union(*(names(schemas[name]) for name in found)) - found:
        found |= more
    return found


def strict(document):
    """A copy of an OpenAPI description in which answers and all enumerations are closed."""
    def closed(value, is_answer):
        if isinstance(value, list):
            return [closed(member, is_answer) for member in value
                    if member != {"$ref": "#/components/schemas/OtherEvent"}]
        if not isinstance(value, dict):
            return value
        result = {"enum" if key == "x-extensible-enum" else key: closed(member, is_answer) for key, member in value.items()}
        if is_answer and value.get("type") == "object" and "properties" in value:
            result["additionalProperties"] = False
        return result

    asked = requested(document)
    components = document["components"] | {
        "schemas": {name: closed(schema, name not in asked)
                    for name, schema in document["components"]["schemas"].items() if name != "OtherEvent"}}
    return document | {"components": components}
