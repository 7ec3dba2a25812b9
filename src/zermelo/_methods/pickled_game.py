"""A pickled game, with what another process needs to compile the same rules."""

from __future__ import annotations

import importlib
import importlib.util
import pickle
import sys
from dataclasses import dataclass

from zermelo._compile.read.rules_digest import digest
from zermelo._compile.rules import CompiledRules, compile_rules
from zermelo.errors import ClusterError


@dataclass(frozen=True)
class PickledGame:
    """A game in pickled form, and how its rules were compiled.

    Attributes:
        pickled: the game.
        name: the name of its class.
        module: the module of its class.
        file: the module's file, if it has one.
        misere: whether the game is played as misère.
        elements: the numbers of the symmetries in use; None if positions are not made canonical.
        rules: the checksum of the rules.
    """

    pickled: bytes
    name: str
    module: str
    file: str | None
    misere: bool
    elements: tuple[int, ...] | None
    rules: str

    @classmethod
    def from_rules(cls, compiled: CompiledRules) -> PickledGame:
        """Return the message that describes ``compiled``.

        Raises:
            ClusterError: the game cannot be pickled or imported by other processes.
        """
        rules = compiled.rules
        kind = type(rules.game)
        name, module = kind.__name__, kind.__module__
        if module == "__main__":
            message = (
                f"{name} is defined in the script or notebook that is running, which workers "
                "cannot import; put the class into a module of its own, and import it from there"
            )
            raise ClusterError(message)
        try:
            pickled = pickle.dumps(rules.game)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            message = (
                f"{rules.game!r} cannot be sent to workers, as it cannot be pickled: {error}; "
                "define the class at the top of a module, and keep only data in its attributes"
            )
            raise ClusterError(message) from None
        elements = None
        if compiled.is_folded:
            known = list(rules.group.elements) if rules.group is not None else []
            elements = tuple(known.index(element) for element in compiled.elements)
        file = getattr(sys.modules.get(module), "__file__", None)
        return cls(pickled, name, module, file, rules.misere, elements, digest(rules))

    def compiled(self) -> CompiledRules:
        """Compile the rules in this process.

        Raises:
            ClusterError: the class cannot be imported, or its rules are different here.
        """
        try:
            self._import()
            game = pickle.loads(self.pickled)  # noqa: S301  # from the driver that started this
        except Exception as error:
            message = (
                f"{self.module}.{self.name} cannot be imported by workers: {error!r}; install "
                "its module on all machines, or start them where it is found"
            )
            raise ClusterError(message) from error
        folding = self.elements is not None or game.folded_tables
        compiled = compile_rules(game, misere=self.misere, folding=folding)
        if digest(compiled.rules) != self.rules:
            message = (
                f"the rules of {self.module}.{self.name} are not those that the driver has; "
                "install one version of its module everywhere"
            )
            raise ClusterError(message)
        if self.elements is None:
            return compiled
        group = compiled.rules.group
        return compiled.with_symmetries(
            group.elements[n] for n in self.elements if group is not None
        )

    def _import(self) -> None:
        """Import the module of the class by name, or from its file if no module has that name."""
        if self.module in sys.modules:
            return
        try:
            importlib.import_module(self.module)
        except ModuleNotFoundError:
            if self.file is None:
                raise
            spec = importlib.util.spec_from_file_location(self.module, self.file)
            if spec is None or spec.loader is None:
                raise
            module = importlib.util.module_from_spec(spec)
            sys.modules[self.module] = module
            spec.loader.exec_module(module)
